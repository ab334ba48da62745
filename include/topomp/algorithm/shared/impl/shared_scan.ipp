// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/prefix_exchange.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared/shared_scan.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE shared_scan::shared_scan(shared_room& room, lanes_of_slices* nodes, const void* input,
                                       const message& result, MPI_Op op, scan_kind kind)
    : shared_operands(room, input, result, op), nodes_(nodes), kind_(kind) {}

TOPOMP_INLINE void shared_scan::run() {
    if (result_.count == 0) return;
    room_.begin();
    // The same in all nodes.
    const int ranks = nodes_ != nullptr ? nodes_->most_ranks() : room_.size();
    if (shared_combine::is_whole(span(result_.count), ranks, nodes_ == nullptr && room_.is_oversubscribed()))
        run_whole();
    else if (nodes_ == nullptr && room_.size() == 2)
        run_by_second();
    else
        run_in_pieces();
    room_.end();
}

TOPOMP_INLINE void shared_scan::run_whole() {
    constexpr int leader = 0;
    const int rank = room_.rank();
    copy_in(room_.own_post(), 0, result_.count);
    room_.raise_post();
    if (nodes_ != nullptr && rank == leader) {
        room_.wait_for_all_posts();
        const message sum = elements(room_.own_chunk(0), result_.count);
        reduce_in_order(room_.size(), sum, op_, [&](int each) {
            charge_copy(span(result_.count));
            return elements(room_.post_of(each), result_.count).data;
        });
        exchange(sum);
        room_.raise(room_.reduced(leader), room_.now(1));
    }
    // What is before the node, if anything, and then the ranks' operands.
    const int first = has_before() ? -1 : 0, end = is_inclusive() ? rank + 1 : rank;
    const auto operand_of = [&](int which) -> const void* {
        const int from = which + first;
        if (from == rank) return input_;
        if (from < 0) {
            if (rank != leader) room_.wait_for(leader, room_.reduced(leader), room_.now(1));
            charge_copy(span(result_.count));
            return elements(room_.chunk_of(leader, 0), result_.count).data;
        }
        charge_copy(span(result_.count));
        return elements(room_.look_for_post(from), result_.count).data;
    };
    charge_signals(static_cast<std::size_t>(rank)); // of the posts before
    if (end - first >= 2)
        reduce_in_order(end - first, result_, op_, operand_of);
    else if (end > first)
        copy_block({const_cast<void*>(operand_of(0)), result_.count, result_.type}, result_, room_.spare());
}

/// Of two ranks, chunk after chunk.
TOPOMP_INLINE void shared_scan::run_by_second() {
    constexpr int first_rank = 0, second = 1;
    constexpr std::size_t pieces = 4, least_bytes = 4096; // one is filled while others are combined
    const std::size_t bytes = std::clamp(span(result_.count) / pieces, least_bytes, shared_room::chunk_bytes);
    const std::size_t most = std::max<std::size_t>(1, bytes / element_bytes());
    for (std::size_t step = 0, first = 0; first < result_.count; ++step, first += most) {
        const std::size_t count = std::min(most, result_.count - first);
        if (room_.rank() == first_rank) {
            copy_in(room_.own_chunk(step), first, count);
            room_.raise(room_.filled(first_rank), room_.now(step + 1));
            continue;
        }
        room_.wait_for(first_rank, room_.filled(first_rank), room_.now(step + 1));
        std::byte* const before = room_.chunk_of(first_rank, step);
        const message to{layout_.element(result_.data, first), count, result_.type};
        if (is_inclusive())
            combine(elements(before, count).data, layout_.element(input_, first), to);
        else
            copy_out(before, first, count);
        room_.raise(room_.taken(second), room_.now(step + 1));
    }
    if (is_inclusive() && room_.rank() == first_rank)
        copy_block({const_cast<void*>(input_), result_.count, result_.type}, result_, room_.spare());
}

TOPOMP_INLINE void shared_scan::run_in_pieces() {
    room_.own_all_chunks();
    const std::size_t most = std::min(piece_bytes / element_bytes(), result_.count);
    slices_ = shared_combine::slices_of(most * element_bytes(), room_.size());
    if (nodes_ != nullptr) parts_ = shared_combine::slices_of(most * element_bytes(), nodes_->lanes());
    const int rank = room_.rank();
    for (std::size_t step = 0, first = 0; first < result_.count; ++step, first += most) {
        const range piece{0, std::min(most, result_.count - first)};
        // The next rank has taken the last piece out of this one's place.
        if (step > 0 && !is_inclusive() && rank + 1 < room_.size())
            room_.wait_for(rank + 1, room_.taken(rank + 1), room_.now(2 * step));
        copy_in(place(rank), first, piece.length());
        room_.raise(room_.filled(rank), room_.now(step + 1));
        if (rank < slices_) {
            room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
            if (nodes_ != nullptr) combine_before(step, piece);
            combine_places(slice(piece, rank));
            room_.raise(room_.reduced(rank), room_.now(2 * step + 2));
        }
        room_.wait_for_first(slices_, &shared_room::reduced, room_.now(2 * step + 2));
        take(piece, first);
        room_.raise(room_.taken(rank), room_.now(2 * step + 2));
    }
}

TOPOMP_INLINE void shared_scan::combine(const void* left, const void* right, const message& to) const {
    reduce_local(left, right, to, op_);
    charge_copy(span(to.count));
}

TOPOMP_INLINE std::byte* shared_scan::place(int rank, std::size_t element) const {
    return room_.data_of(rank) + element * static_cast<std::size_t>(layout_.extent);
}

TOPOMP_INLINE void shared_scan::exchange(const message& data) const {
    detail::run(nodes_->whole().pool<prefix_exchange>(),
                [&](prefix_exchange& op) { op.start(nodes_->lane(), data, op_); });
}

template <class RangeOf, class SumsOf>
void shared_scan::collect(int parts, RangeOf of, SumsOf sums, const range& mine, std::byte* to) const {
    const auto extent = static_cast<std::size_t>(layout_.extent);
    for_overlaps(parts, of, mine,
                 [&](int number, std::size_t in_part, std::size_t in_mine, std::size_t count) {
                     copy_shared(to + in_mine * extent, sums(number) + in_part * extent, span(count));
                 });
}

TOPOMP_INLINE void shared_scan::combine_before(std::size_t step, const range& piece) {
    const int rank = room_.rank();
    const range mine = slice(piece, rank);
    const message sum = elements(sums_of_slice(rank), mine.length());
    if (mine.length() > 0)
        reduce_in_order(room_.size(), sum, op_, [&](int each) {
            charge_copy(span(mine.length()));
            return elements(place(each, mine.begin), mine.length()).data;
        });
    if (slices_ == parts_) {
        if (mine.length() > 0) exchange(sum);
        return;
    }
    // Of nodes with more ranks than lanes the first ranks exchange what all have combined.
    room_.raise(room_.reduced(rank), room_.now(2 * step + 1));
    if (rank < parts_) {
        room_.wait_for_first(slices_, &shared_room::reduced, room_.now(2 * step + 1));
        const range part = part_of_lane(piece, rank);
        collect(
            slices_, [&](int each) { return slice(piece, each); },
            [&](int each) { return sums_of_slice(each); }, part, sums_of_lane(rank));
        if (part.length() > 0) exchange(elements(sums_of_lane(rank), part.length()));
        room_.raise(room_.taken(rank), room_.now(2 * step + 1));
    }
    room_.wait_for_first(parts_, &shared_room::taken, room_.now(2 * step + 1));
    collect(
        parts_, [&](int lane) { return part_of_lane(piece, lane); },
        [&](int lane) { return sums_of_lane(lane); }, mine, sums_of_slice(rank));
}

TOPOMP_INLINE void shared_scan::combine_places(const range& mine) const {
    if (mine.length() == 0) return;
    const auto at = [&](int rank) { return elements(place(rank, mine.begin), mine.length()); };
    if (has_before()) combine(elements(sums_of_slice(room_.rank()), mine.length()).data, at(0).data, at(0));
    // No rank needs what the last rank adds in an exclusive scan.
    const int end = is_inclusive() ? room_.size() : room_.size() - 1;
    for (int rank = 1; rank < end; ++rank)
        combine(at(rank - 1).data, at(rank).data, at(rank));
}

TOPOMP_INLINE void shared_scan::take(const range& piece, std::size_t first) {
    const int rank = room_.rank();
    if (is_inclusive()) return copy_out(place(rank), first, piece.length());
    if (rank > 0) return copy_out(place(rank - 1), first, piece.length());
    if (!has_before()) return;
    for (int each = 0; each < slices_; ++each)
        if (const range part = slice(piece, each); part.length() > 0)
            copy_out(sums_of_slice(each), first + part.begin, part.length());
}

} // namespace topo::detail
