// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace topo::detail {

TOPOMP_INLINE bool shared_combine::takes(const type_layout& layout) {
    return layout.extent > 0 && layout.true_extent <= static_cast<MPI_Aint>(whole_bytes) &&
           layout.extent <= static_cast<MPI_Aint>(whole_bytes);
}

TOPOMP_INLINE shared_combine::shared_combine(shared_room& room, const void* input, const message& result,
                                             MPI_Op op, int root)
    : shared_operands(room, input, result, op), root_(root), slices_(room.size()),
      has_result_(root == all_ranks || root == room.rank()) {}

TOPOMP_INLINE void shared_combine::run() {
    room_.begin();
    if (is_whole(layout_.span(result_.count), room_.size(), room_.is_oversubscribed()))
        combine_posts();
    else if (root_ != all_ranks && (room_.size() == 2 || room_.is_oversubscribed()))
        combine_at_root();
    else
        combine_slices();
    room_.end();
}

TOPOMP_INLINE void shared_combine::run_in_slices(const exchange& between, int parts) {
    between_ = &between;
    parts_ = parts;
    room_.begin();
    const std::size_t each = element_bytes(), pieces = exchanged_pieces(result_.count, each);
    exchange_pieces(cut((result_.count + pieces - 1) / pieces * each));
    room_.end();
}

TOPOMP_INLINE void shared_combine::combine_posts() {
    copy_in(room_.own_post(), 0, result_.count);
    room_.raise_post();
    if (!has_result_ || result_.count == 0) return;
    room_.wait_for_all_posts();
    reduce_in_order(room_.size(), result_, op_, [&](int rank) {
        charge_copy(layout_.span(result_.count));
        return elements_at(room_.post_of(rank));
    });
}

TOPOMP_INLINE std::byte* shared_combine::operands(int rank, std::size_t piece) const {
    if (between_ != nullptr) return room_.data_of(rank) + piece % exchanged_places * exchanged_bytes;
    return room_.data_of(rank) + piece % 2 * piece_bytes;
}

TOPOMP_INLINE std::byte* shared_combine::chunk_of(int rank, std::size_t piece) const {
    return room_.data_of(rank) + piece % shared_room::chunks * shared_room::chunk_bytes;
}

TOPOMP_INLINE block_range shared_combine::piece_at(std::size_t piece) const {
    const std::size_t first = std::min(result_.count, piece * per_piece_);
    return {first, std::min(result_.count, first + per_piece_)};
}

TOPOMP_INLINE std::size_t shared_combine::cut(std::size_t bytes) {
    room_.own_all_chunks();
    is_commutative_ = mpi::op_is_commutative(op_);
    per_piece_ = bytes / element_bytes();
    return (result_.count + per_piece_ - 1) / per_piece_;
}

TOPOMP_INLINE void shared_combine::combine_at_root() {
    const std::size_t pieces = cut(shared_room::chunk_bytes);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        const block_range all = piece_at(piece);
        if (has_result_) {
            combine_chunks(piece, all);
            room_.raise(room_.taken(room_.rank()), room_.now(piece + 1));
            continue;
        }
        if (piece >= shared_room::chunks)
            room_.wait_for(root_, room_.taken(root_), room_.now(piece - shared_room::chunks + 1));
        copy_in(chunk_of(room_.rank(), piece), all.begin, all.length());
        room_.raise(room_.filled(room_.rank()), room_.now(piece + 1));
    }
}

TOPOMP_INLINE void shared_combine::combine_chunks(std::size_t piece, const block_range& all) {
    const void* const mine = layout_.element(input_, all.begin);
    const message sum{layout_.element(result_.data, all.begin), all.length(), result_.type};
    const auto operand_of = [&](int rank) -> const void* {
        if (rank == root_) return mine;
        room_.wait_for(rank, room_.filled(rank), room_.now(piece + 1));
        charge_copy(layout_.span(all.length()));
        return elements_at(chunk_of(rank, piece));
    };
    const int last = room_.size() - 1;
    if (!is_commutative_ && root_ != last) { // in the last rank's chunk: `sum` may be where `mine` is
        const message in_order{elements_at(chunk_of(last, piece)), all.length(), result_.type};
        reduce_in_order(room_.size(), in_order, op_, operand_of);
        return copy_out(chunk_of(last, piece), all.begin, all.length());
    }
    const void* combined = mine; // those of others as late as possible
    for (int rank = room_.size(); rank-- > 0;) {
        if (rank == root_) continue;
        reduce_local(operand_of(rank), combined, sum, op_);
        combined = sum.data;
    }
}

TOPOMP_INLINE void shared_combine::combine_slices() {
    const std::size_t pieces = cut(piece_bytes);
    slices_ = slices_of(result_.count * element_bytes(), room_.size()); // all, if there are several pieces
    fill(0);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        if (room_.rank() < slices_) {
            room_.wait_for_all(&shared_room::filled, room_.now(piece + 1));
            combine_slice(piece);
            room_.raise(room_.reduced(room_.rank()), room_.now(piece + 1));
        }
        if (has_result_ || pieces > 1)
            room_.wait_for_first(slices_, &shared_room::reduced, room_.now(piece + 1));
        // Its chunks are free: a rank that has combined this piece has copied its slices of the last.
        if (piece + 1 < pieces) fill(piece + 1);
        if (has_result_) take_slices(piece);
    }
}

TOPOMP_INLINE void shared_combine::exchange_pieces(std::size_t pieces) {
    const auto take = [&](std::size_t piece) {
        if (!has_result_) return;
        room_.wait_for_first(parts_, &shared_room::taken, room_.now(piece + 1));
        take_slices(piece);
    };
    constexpr std::size_t depth = exchanged_depth;
    std::array<started, depth> under_way;
    fill(0);
    if (pieces > 1) fill(1);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        room_.wait_for_all(&shared_room::filled, room_.now(piece + 1));
        combine_slice(piece);
        if (piece >= depth) end_exchange(piece - depth, under_way[piece % depth]);
        if (parts_ < room_.size()) {
            room_.raise(room_.reduced(room_.rank()), room_.now(piece + 1));
            room_.wait_for_all(&shared_room::reduced, room_.now(piece + 1));
        }
        under_way[piece % depth] = start_exchange(piece);
        if (piece >= depth) take(piece - depth);
        // In the place of a piece that all ranks took before they filled this one.
        if (piece > 0 && piece + 1 < pieces) fill(piece + 1);
    }
    for (std::size_t piece = pieces - std::min(pieces, depth); piece < pieces; ++piece) {
        end_exchange(piece, under_way[piece % depth]);
        take(piece);
    }
}

TOPOMP_INLINE started shared_combine::start_exchange(std::size_t piece) {
    if (room_.rank() >= parts_) return {};
    const block_range part = part_of(piece_at(piece), room_.rank(), parts_);
    if (part.length() == 0) return {};
    const std::size_t offset = part.begin * static_cast<std::size_t>(layout_.extent);
    started now = (*between_)(
        {elements_at(operands(place_of(room_.rank()), piece) + offset), part.length(), result_.type});
    if (room_.is_oversubscribed()) now.finish();
    return now;
}

TOPOMP_INLINE void shared_combine::end_exchange(std::size_t piece, started& exchanged) {
    if (room_.rank() >= parts_) return;
    exchanged.finish();
    room_.raise(room_.taken(room_.rank()), room_.now(piece + 1));
}

/// All slices in the same place if parts are not slices.
TOPOMP_INLINE int shared_combine::place_of(int owner) const {
    const int last = room_.size() - 1;
    const bool are_slices = between_ == nullptr || parts_ == room_.size();
    return owner == last && is_commutative_ && are_slices ? last - 1 : last;
}

TOPOMP_INLINE void shared_combine::fill(std::size_t piece) {
    const block_range all = piece_at(piece), mine = slice_in(all, room_.rank());
    std::byte* const to = operands(room_.rank(), piece);
    if (place_of(room_.rank()) == room_.rank()) {
        copy_in(to, all.begin, all.length());
    } else {
        const auto extent = static_cast<std::size_t>(layout_.extent);
        copy_in(to, all.begin, mine.begin);
        copy_in(to + mine.end * extent, all.begin + mine.end, all.length() - mine.end);
    }
    room_.raise(room_.filled(room_.rank()), room_.now(piece + 1));
}

TOPOMP_INLINE void shared_combine::combine_slice(std::size_t piece) {
    const block_range all = piece_at(piece), mine = slice_in(all, room_.rank());
    if (mine.length() == 0) return;
    const auto offset = mine.begin * static_cast<std::size_t>(layout_.extent);
    const int place = place_of(room_.rank());
    std::byte* const sum = operands(place, piece) + offset;
    for (int rank = 0; rank < room_.size(); ++rank)
        if (rank != room_.rank()) fetch_if_short(operands(rank, piece) + offset, layout_.span(mine.length()));
    for (int rank = room_.size(); rank-- > 0;) {
        if (rank == place) continue;
        const std::byte* const part =
            rank == room_.rank() ? input_bytes(all.begin + mine.begin) : operands(rank, piece) + offset;
        reduce_local(part - layout_.true_lower, elements_at(sum),
                     {elements_at(sum), mine.length(), result_.type}, op_);
        charge_copy(layout_.span(mine.length()));
    }
}

TOPOMP_INLINE void shared_combine::take_slices(std::size_t piece) {
    const block_range all = piece_at(piece);
    const auto extent = static_cast<std::size_t>(layout_.extent);
    for (int rank = 0; rank < room_.size(); ++rank)
        if (const block_range part = slice_in(all, rank); part.length() > 0)
            copy_out(operands(place_of(rank), piece) + part.begin * extent, all.begin + part.begin,
                     part.length());
}

} // namespace topo::detail
