// SPDX-License-Identifier: BSL-1.0
/// @file
/// The operands of ranks that share a window, combined into it.
#pragma once

#include <topomp/algorithm/copy_groups.hpp>
#include <topomp/algorithm/parts.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/simulated.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace topo::detail {

/// Where the ranks of a group have their operands.
class operands {
public:
    using of_rank = const void* (*)(const void* window, int rank);

    /// Each rank its own, which the others cannot read.
    explicit operands(const void* mine) : mine_(mine) {}
    /// In a window. @param find finds a rank's
    operands(const void* window, of_rank find, int rank)
        : mine_(find(window, rank)), window_(window), of_(find) {}

    const void* mine() const noexcept { return mine_; }
    bool are_shared() const noexcept { return of_ != nullptr; }
    const void* of(int rank) const { return of_(window_, rank); }

private:
    const void* mine_;
    const void* window_ = nullptr;
    of_rank of_ = nullptr;
};

/// Up to this length, and so many bytes of all ranks of a group, one rank combines: the others would not be
/// done sooner. (2 KiB of 16 ranks took 3.8 us by one rank, simulated, where 4 KiB by slices took 1.3.)
inline constexpr std::size_t most_combined_by_root = 2048, most_combined_of_all = 8192;

/// @param ranks of the largest group, so that all groups answer alike @param is_crowded ranks take turns on
/// cores, so that slices are not combined at a time
inline hybrid::combining way_of_combining(hybrid::combining asked, std::size_t bytes, int ranks,
                                          bool is_crowded) {
    if (asked != hybrid::combining::best) return asked;
    const std::size_t times = is_crowded ? 4 : 1;
    const bool is_short = bytes <= times * most_combined_by_root &&
                          bytes * static_cast<std::size_t>(ranks) <= times * most_combined_of_all;
    return is_short ? hybrid::combining::by_root : hybrid::combining::by_slices;
}

/// Combines what the ranks of a group have, in their order, into its window.
class combine_in_group {
public:
    combine_in_group(copy_groups& groups, const window_view& window, rendezvous& meet, const operands& from,
                     MPI_Op op)
        : groups_(groups), window_(window), meet_(meet), from_(from), op_(op) {}

    /// Afterwards the result is in the window, as far as each rank knows of its part: by slices, each of its
    /// own slice, else the group's first rank of all. @collective over the group
    void run(hybrid::combining how) {
        if (window_.all.count == 0) return;
        switch (how) {
        case hybrid::combining::by_mpi:
            return by_mpi();
        case hybrid::combining::by_root:
            return from_.are_shared() ? by_root_in_place() : by_root();
        default:
            return from_.are_shared() ? by_slices_in_place() : by_slices();
        }
    }

    /// What a rank combines by slices, if it is all in one piece.
    static message slice_of(const message& all, int number, int size) {
        return part_of(all, static_cast<std::size_t>(number), static_cast<std::size_t>(size));
    }
    /// Whether a rank's slice is one piece of the window, namely its `slice_of` all of it.
    bool has_whole_slices() const { return from_.are_shared() || window_.all.count <= segment_elements(); }

private:
    /// Bytes of each rank's operand that are combined at a time: so that those of several ranks stay in a
    /// cache.
    static constexpr std::size_t segment_bytes = std::size_t{1} << 16;
    /// Bytes of the result that are combined at a time.
    static constexpr std::size_t strip_bytes = std::size_t{1} << 14;

    std::size_t segment_elements() const { return std::max<std::size_t>(1, segment_bytes / window_.element); }

    /// Calls `f(first element, number of elements, which)` for segments of the window.
    template <class F>
    void for_segments(F f) const {
        const std::size_t most = segment_elements();
        std::size_t which = 0;
        for (std::size_t begin = 0; begin < window_.all.count; begin += most, ++which)
            f(begin, std::min(most, window_.all.count - begin), which);
    }

    const std::byte* mine_at(std::size_t index) const {
        return static_cast<const std::byte*>(from_.mine()) + index * window_.element;
    }

    void by_mpi() {
        meet_.before(0); // all have read what was there
        const std::size_t most = std::size_t{1} << 30;
        for (std::size_t begin = 0; begin < window_.all.count; begin += most)
            mpi::check(MPI_Reduce(mine_at(begin), groups_.number() == 0 ? window_.at(begin) : nullptr,
                                  static_cast<int>(std::min(most, window_.all.count - begin)),
                                  window_.all.type, op_, 0, groups_.comm()),
                       "MPI_Reduce", "operands of a node");
    }

    void by_root_in_place() {
        meet_.before(0);
        if (groups_.number() != 0) return;
        combine(0, window_.all.count,
                [&](int rank) { return static_cast<const std::byte*>(from_.of(rank)); });
    }

    void by_root() {
        const cells memory{groups_, 1, segment_elements() * window_.element};
        for_segments([&](std::size_t begin, std::size_t count, std::size_t) {
            if (begin > 0) meet_.after(0); // it is done with the last segment
            if (groups_.number() != 0)
                copy_shared(memory.of(groups_.number(), 0), mine_at(begin), count * window_.element);
            meet_.before(0);
            if (groups_.number() == 0)
                combine(begin, count, [&](int rank) -> const std::byte* {
                    return rank == 0 ? mine_at(begin) : memory.of(rank, 0);
                });
        });
    }

    void by_slices_in_place() {
        meet_.all();
        const std::size_t begin = begin_of_slice(window_.all.count, groups_.number());
        const std::size_t end = begin_of_slice(window_.all.count, groups_.number() + 1);
        combine(begin, end - begin, [&](int rank) {
            return static_cast<const std::byte*>(from_.of(rank)) + begin * window_.element;
        });
    }

    /// Two cells of each rank in turn: who writes into one again has met all ranks since they read it.
    void by_slices() {
        const cells memory{groups_, 2, segment_elements() * window_.element};
        for_segments([&](std::size_t begin, std::size_t count, std::size_t which) {
            const std::size_t own_begin = begin_of_slice(count, groups_.number());
            const std::size_t own_end = begin_of_slice(count, groups_.number() + 1);
            std::byte* const cell = memory.of(groups_.number(), which % 2);
            copy(mine_at(begin), cell, 0, own_begin); // nobody else needs what lies between
            copy(mine_at(begin), cell, own_end, count);
            meet_.all();
            combine(begin + own_begin, own_end - own_begin, [&](int rank) {
                const std::byte* const from =
                    rank == groups_.number() ? mine_at(begin) : memory.of(rank, which % 2);
                return from + own_begin * window_.element;
            });
        });
    }

    std::size_t begin_of_slice(std::size_t count, int number) const {
        const auto size = static_cast<std::size_t>(groups_.size()), index = static_cast<std::size_t>(number);
        return count / size * index + std::min(index, count % size);
    }

    void copy(const std::byte* from, std::byte* to, std::size_t begin, std::size_t end) const {
        if (begin < end)
            copy_shared(to + begin * window_.element, from + begin * window_.element,
                        (end - begin) * window_.element);
    }

    /// Combines elements of all ranks into the window, from the last rank on: an operation leaves its result
    /// in the right operand. @param of finds a rank's first of them
    template <class Of>
    void combine(std::size_t begin, std::size_t count, Of of) const {
        const std::size_t most = std::max<std::size_t>(1, strip_bytes / window_.element);
        for (std::size_t at = 0; at < count; at += most) {
            const std::size_t number = std::min(most, count - at);
            std::byte* const sum = window_.at(begin + at);
            const std::size_t offset = at * window_.element;
            std::memcpy(sum, of(groups_.size() - 1) + offset, number * window_.element);
            charge(groups_.size() - 1, number);
            for (int rank = groups_.size() - 1; rank-- > 0;) {
                charge(rank, number);
                mpi::check(
                    MPI_Reduce_local(of(rank) + offset, sum, static_cast<int>(number), window_.all.type, op_),
                    "MPI_Reduce_local", "operands of a node");
            }
        }
    }

    /// In a simulation: what it takes to read elements of another rank.
    void charge(int rank, std::size_t count) const {
        if (rank != groups_.number()) charge_copy(count * window_.element);
    }

    /// Memory of the group for parts of operands.
    class cells {
    public:
        cells(copy_groups& groups, std::size_t number, std::size_t bytes)
            : data_(groups.cells(number * bytes)), of_rank_(groups.cell_bytes()), bytes_(bytes) {}
        std::byte* of(int rank, std::size_t which) const {
            return data_ + static_cast<std::size_t>(rank) * of_rank_ + which * bytes_;
        }

    private:
        std::byte* data_;
        std::size_t of_rank_, bytes_;
    };

    copy_groups& groups_;
    const window_view& window_;
    rendezvous& meet_;
    const operands& from_;
    MPI_Op op_;
};

} // namespace topo::detail
