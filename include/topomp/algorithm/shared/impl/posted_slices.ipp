// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/posted_slices.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
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

TOPOMP_INLINE bool posted_slices::takes(const message& operands, int ranks) {
    const std::size_t most = std::min(longest, most_of_node / static_cast<std::size_t>(ranks));
    const type_layout layout{operands.type};
    return layout.is_dense && layout.size > 0 && operands.count <= most / layout.size;
}

TOPOMP_INLINE int posted_slices::parts_of(const message& result, int ranks) {
    const std::size_t most = std::min(result.count, bytes_of(result) / least_part);
    return static_cast<int>(std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(ranks)));
}

TOPOMP_INLINE posted_slices::posted_slices(arena& memory, const void* input, const message& result, MPI_Op op,
                                           int parts)
    : size_of_element_(type_layout{result.type}.size), bytes_(bytes_of(result)),
      bytes_of_place_(round_up(bytes_, sizeof(signal))), rank_(memory.comm().rank()),
      size_(memory.comm().size()), slices_(shared_combine::slices_of(bytes_, size_)), parts_(parts),
      bytes_of_round_(static_cast<std::size_t>(size_ + slices_ + parts_) * sizeof(signal) +
                      static_cast<std::size_t>(size_ + 1) * bytes_of_place_),
      memory_(memory.take(2 * bytes_of_round_, sizeof(signal), "topo::persistent")), input_(input),
      result_(result), op_(op) {
    for (; round_ < 2; ++round_)
        for (const stage each : {stage::operands, stage::sum, stage::result})
            if (rank_ < number_of(each)) signal_of(each, rank_) = {};
    round_ = 0;
    memory_.steps().barrier(memory_.waits());
}

TOPOMP_INLINE int posted_slices::number_of(stage which) const {
    return which == stage::operands ? size_ : which == stage::sum ? slices_ : parts_;
}

TOPOMP_INLINE signal& posted_slices::signal_of(stage which, int number) const {
    const int before = which == stage::operands ? 0 : which == stage::sum ? size_ : size_ + slices_;
    return reinterpret_cast<signal*>(memory_.data() + round_ % 2 * bytes_of_round_)[before + number];
}

TOPOMP_INLINE std::byte* posted_slices::operands_of(int rank) const {
    return reinterpret_cast<std::byte*>(&signal_of(stage::result, parts_)) +
           static_cast<std::size_t>(rank) * bytes_of_place_;
}

TOPOMP_INLINE void posted_slices::raise(stage which, int number) {
    raise_and_wake(signal_of(which, number), round_, memory_.waits());
}

/// Without the own slice, which no other rank reads.
TOPOMP_INLINE void posted_slices::start() {
    ++round_;
    const block_range own = slice_of(rank_);
    const std::size_t before = bytes_before(own.begin), behind = bytes_before(own.end);
    const auto* const from = static_cast<const std::byte*>(input_);
    copy_shared(operands_of(rank_), from, before);
    copy_shared(operands_of(rank_) + behind, from + behind, bytes_ - behind);
    raise(stage::operands, rank_);
    awaited_ = rank_ < slices_ ? stage::operands : after_slice();
}

TOPOMP_INLINE std::optional<message> posted_slices::own_part() const {
    if (rank_ >= parts_) return {};
    const block_range own = part_of(rank_);
    return message{result_at(own.begin), own.length(), result_.type};
}

/// Into the sum's memory, of which no other rank reads this part.
TOPOMP_INLINE void posted_slices::hand_out() {
    if (size_ == 1) return;
    const block_range own = part_of(rank_);
    copy_shared(sum() + bytes_before(own.begin), result_at(own.begin), bytes_before(own.length()));
    raise(stage::result, rank_);
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
        if (seen == stage::operands)
            combine();
        else if (seen == stage::result)
            take_others(part_of(rank_));
        else
            take(parts_ == 0 ? block_range{0, result_.count} : part_of(rank_));
    }
    return true;
}

/// For others into the sum; else into the result, where the own operands may be, which therefore come first.
TOPOMP_INLINE void posted_slices::combine() {
    const block_range own = slice_of(rank_);
    const std::size_t offset = bytes_before(own.begin), length = bytes_before(own.length());
    std::byte* const to = are_parts_slices() ? result_at(own.begin) : sum() + offset;
    const int first = are_parts_slices() ? rank_ + 1 : 0; // of those that are combined
    const std::byte* const mine = static_cast<const std::byte*>(input_) + offset;
    const auto operand_of = [&](int each) -> const void* {
        const int rank = (first + each) % size_;
        if (rank == rank_) return mine;
        charge_copy(length);
        return operands_of(rank) + offset;
    };
    if (size_ > 1 && length > 0)
        reduce_in_order(size_, {to, own.length(), result_.type}, op_, operand_of);
    else if (to != mine)
        copy_shared(to, mine, length);
    if (are_parts_slices()) return;
    raise(stage::sum, rank_);
    awaited_ = after_slice();
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
        wait_asleep(waits, event_of(signal_of(awaited_, number)), [&] { return is_raised(number); });
}

} // namespace topo::detail
