// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/posted_slices.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace topo::detail {

/// How many bytes a piece has at most.
constexpr std::size_t most_of_piece(int ranks, bool is_one) {
    const auto all = static_cast<std::size_t>(ranks);
    if (!is_one) return std::min(posted_slices::longest, posted_slices::most_of_node / all);
    const std::size_t most = std::min(posted_slices::longest_of_several, posted_slices::most_of_node / all);
    return std::max(most, all * shared_combine::least_slice);
}

TOPOMP_INLINE bool posted_slices::takes(const message& operands, int ranks, bool is_one) {
    const type_layout layout{operands.type};
    if (!layout.is_dense || layout.size == 0) return false;
    return (is_one ? 1 : operands.count) <= most_of_piece(ranks, is_one) / layout.size;
}

TOPOMP_INLINE int posted_slices::parts_of(const message& result, int ranks) {
    const std::size_t most = std::min(result.count, bytes_of(result) / least_part);
    return static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(ranks)));
}

TOPOMP_INLINE posted_slices::posted_slices(arena& memory, const void* input, const message& result, MPI_Op op,
                                           int parts)
    : size_of_element_(type_layout{result.type}.size), rank_(memory.comm().rank()),
      size_(memory.comm().size()), parts_(parts), is_commutative_(mpi::op_is_commutative(op)), input_(input),
      result_(result), op_(op) {
    per_piece_ = result.count;
    if (parts == 0) per_piece_ = std::min(per_piece_, most_of_piece(size_, true) / size_of_element_);
    per_piece_ = std::max<std::size_t>(1, per_piece_);
    const std::size_t bytes = per_piece_ * size_of_element_;
    bytes_of_place_ = round_up(bytes, sizeof(signal));
    // Of several pieces each rank combines a slice: then those who take the last sum have all taken the one
    // before.
    slices_ = pieces() > 1 ? size_ : shared_combine::slices_of(bytes, size_);
    bytes_of_piece_ = static_cast<std::size_t>(size_ + slices_ + parts_) * sizeof(signal) +
                      static_cast<std::size_t>(size_ + (has_sum() ? 1 : 0)) * bytes_of_place_;
    memory_ = memory.take(2 * bytes_of_piece_, sizeof(signal), "topo::persistent");
    for (signal::value_type place = 0; place < 2; ++place)
        for (const stage each : {stage::operands, stage::sum, stage::result})
            if (rank_ < number_of(each)) signal_of(each, rank_, place) = {};
    memory_.steps().barrier(memory_.waits());
}

TOPOMP_INLINE int posted_slices::number_of(stage which) const {
    switch (which) {
    case stage::operands:
        return size_;
    case stage::sum:
        return slices_;
    case stage::result:
        return parts_;
    case stage::begin:
    case stage::none:
        break;
    }
    return 0;
}

TOPOMP_INLINE signal& posted_slices::signal_of(stage which, int number, signal::value_type piece) const {
    const int before = which == stage::operands ? 0 : which == stage::sum ? size_ : size_ + slices_;
    return reinterpret_cast<signal*>(memory_.data() + piece % 2 * bytes_of_piece_)[before + number];
}

TOPOMP_INLINE std::byte* posted_slices::operands_of(int rank, signal::value_type piece) const {
    return reinterpret_cast<std::byte*>(&signal_of(stage::result, parts_, piece)) +
           static_cast<std::size_t>(rank) * bytes_of_place_;
}

TOPOMP_INLINE void posted_slices::raise(stage which, int number, signal::value_type piece) {
    raise_and_wake(signal_of(which, number, piece), piece, memory_.waits());
}

TOPOMP_INLINE block_range posted_slices::elements_of(signal::value_type piece) const {
    const std::size_t begin = (pieces() - 1 - (last_ - piece)) * per_piece_;
    return {begin, std::min(begin + per_piece_, result_.count)};
}

TOPOMP_INLINE void posted_slices::start() {
    piece_ = last_ + 1;
    last_ += pieces();
    awaited_ = stage::begin;
    if (parts_ == 0 && rank_ < slices_) return;
    post(piece_);
    awaited_ = after_post();
}

/// Without the own slice, which no other rank reads, unless the sum comes there.
TOPOMP_INLINE void posted_slices::post(signal::value_type piece) {
    const block_range all = elements_of(piece);
    block_range left_out = slice_in(all, rank_);
    if (!has_sum() && place_of(rank_) == rank_) left_out = {};
    std::byte* const to = operands_of(rank_, piece);
    copy_shared(to, input_at(all.begin), bytes_before(left_out.begin));
    copy_shared(to + bytes_before(left_out.end), input_at(all.begin + left_out.end),
                bytes_before(all.length() - left_out.end));
    raise(stage::operands, rank_, piece);
}

TOPOMP_INLINE std::optional<message> posted_slices::own_part() const {
    if (rank_ >= parts_) return {};
    const block_range own = part_in({0, result_.count});
    return message{result_at(own.begin), own.length(), result_.type};
}

/// Into the sum's memory, of which no other rank reads this part.
TOPOMP_INLINE void posted_slices::hand_out() {
    if (size_ == 1) return;
    const block_range own = part_in({0, result_.count});
    copy_shared(sum() + bytes_before(own.begin), result_at(own.begin), bytes_before(own.length()));
    raise(stage::result, rank_, piece_);
    awaited_ = stage::result;
}

TOPOMP_INLINE posted_slices::stage posted_slices::after_slice() const {
    return parts_ == 0 || rank_ < parts_ ? stage::sum : stage::result;
}

TOPOMP_INLINE bool posted_slices::are_raised() const {
    for (int number = 0; number < number_of(awaited_); ++number)
        if (!is_raised(number)) return false;
    return true;
}

TOPOMP_INLINE bool posted_slices::advance() {
    while (awaited_ != stage::none) {
        if (!are_raised()) return false;
        const stage seen = std::exchange(awaited_, stage::none);
        charge_signals(static_cast<std::size_t>(number_of(seen) - (rank_ < number_of(seen) ? 1 : 0)));
        if (seen == stage::begin) {
            post(piece_);
            awaited_ = after_post();
        } else if (seen == stage::operands) {
            combine();
        } else if (seen == stage::result) {
            take_others(part_in({0, result_.count}));
        } else if (parts_ > 0) {
            take(part_in({0, result_.count}));
        } else {
            // In the place of a piece that all ranks took before they combined this one.
            if (piece_ < last_) post(piece_ + 1);
            take_slices();
            if (piece_++ < last_) awaited_ = after_post();
        }
    }
    return true;
}

/// For others into the sum, or in the place of operands that another rank has written: a third place would be
/// one more line to fetch from that rank, which has read it last. (2 MiB on two ranks: 387 us, with a third
/// 452.) Else into the result, where the own operands may be, which therefore come first.
TOPOMP_INLINE void posted_slices::combine() {
    const block_range all = elements_of(piece_), own = slice_in(all, rank_);
    const std::size_t offset = bytes_before(own.begin), length = bytes_before(own.length());
    const int place = place_of(rank_);
    std::byte* const to = are_parts_slices() ? result_at(all.begin + own.begin)
                          : has_sum()        ? sum() + offset
                                             : operands_of(place, piece_) + offset;
    // The first of the operands, in the order in which they are combined.
    const int first = are_parts_slices() ? rank_ + 1 : has_sum() ? 0 : place + 1;
    const std::byte* const mine = input_at(all.begin + own.begin);
    const auto operand_of = [&](int each) -> const void* {
        const int rank = (first + each) % size_;
        if (rank == rank_ && (has_sum() || rank != place)) return mine;
        charge_copy(length);
        return operands_of(rank, piece_) + offset;
    };
    if (size_ > 1 && length > 0)
        reduce_in_order(size_, {to, own.length(), result_.type}, op_, operand_of);
    else if (to != mine)
        copy_shared(to, mine, length);
    if (are_parts_slices()) return;
    raise(stage::sum, rank_, piece_);
    awaited_ = after_slice();
}

TOPOMP_INLINE void posted_slices::take_slices() {
    const block_range all = elements_of(piece_);
    for (int rank = 0; rank < slices_; ++rank) {
        const block_range slice = slice_in(all, rank);
        const std::byte* const from = has_sum() ? sum() : operands_of(place_of(rank), piece_);
        copy_shared(result_at(all.begin + slice.begin), from + bytes_before(slice.begin),
                    bytes_before(slice.length()));
    }
}

TOPOMP_INLINE void posted_slices::take(const block_range& range) {
    copy_shared(result_at(range.begin), sum() + bytes_before(range.begin), bytes_before(range.length()));
}

TOPOMP_INLINE void posted_slices::take_others(const block_range& range) {
    take({0, range.begin});
    take({range.end, result_.count});
}

TOPOMP_INLINE void posted_slices::await() {
    const waiting& waits = memory_.waits();
    if (!waits.sleeps()) return waits.until_raised([&] { return are_raised(); });
    for (int number = 0; number < number_of(awaited_); ++number)
        wait_asleep(waits, event_of(signal_of(awaited_, number, piece_)), [&] { return is_raised(number); });
}

} // namespace topo::detail
