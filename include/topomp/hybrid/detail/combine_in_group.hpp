// SPDX-License-Identifier: BSL-1.0
/// @file
/// The operands of ranks that share a window, combined into it.
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hybrid/detail/operands.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

/// Up to this length, and so many bytes of all ranks of a group, one rank combines: the others would not be
/// done sooner. (2 KiB of 16 ranks took 3.8 us by one rank, simulated, where 4 KiB by slices took 1.3.)
inline constexpr std::size_t most_combined_by_root = 2048, most_combined_of_all = 8192;

/// @param ranks of the largest group, so that all groups answer alike @param is_oversubscribed ranks
/// take turns on cores, so that slices are not combined at a time
hybrid::combining combining_of(hybrid::combining asked, std::size_t bytes, int ranks, bool is_oversubscribed);

/// Combines what the ranks of a group have, in their order, into its window.
class combine_in_group {
public:
    combine_in_group(copy_groups& groups, const window_view& window, node_synchronisation& node_sync,
                     const operands& from, MPI_Op op);

    /// Combines into the window. When a rank returns, its own part is there: by slices its slice, else for
    /// the group's first rank the whole result. Other parts may not be there yet. @collective over the group
    void run(hybrid::combining combining_by);

    /// What a rank combines by slices, if it is all in one piece.
    static message slice_of(const message& all, int number, int size);
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

    const std::byte* mine_at(std::size_t index) const;

    void by_mpi();

    void by_root_in_place();

    void by_root();

    void by_slices_in_place();

    /// Two chunks of each rank in turn: before a rank overwrites one, it has synchronised with all ranks that
    /// read it.
    void by_slices();

    std::size_t begin_of_slice(std::size_t count, int number) const;

    void copy(const std::byte* from, std::byte* to, std::size_t begin, std::size_t end) const;

    /// Combines elements of all ranks into the window, from the last rank on: an operation leaves its result
    /// in the right operand. @param of finds a rank's first of them
    template <class Of>
    void combine(std::size_t begin, std::size_t count, Of of) const {
        const std::size_t most = std::max<std::size_t>(1, strip_bytes / window_.element);
        for (std::size_t at = 0; at < count; at += most) {
            const std::size_t number = std::min(most, count - at);
            std::byte* const sum = window_.at(begin + at);
            const std::size_t offset = at * window_.element;
            const auto operand_of = [&](int rank) {
                charge(rank, number);
                return of(rank) + offset;
            };
            if (groups_.size() == 1)
                copy_bytes(sum, operand_of(0), number * window_.element);
            else
                reduce_in_order(groups_.size(), {sum, number, window_.all.type}, op_, operand_of);
        }
    }

    /// In a simulation: what it takes to read elements of another rank.
    void charge(int rank, std::size_t count) const;

    /// Memory of the group for parts of operands.
    class chunks {
    public:
        chunks(copy_groups& groups, std::size_t number, std::size_t bytes);
        std::byte* of(int rank, std::size_t which) const;

    private:
        std::byte* data_;
        std::size_t of_rank_, bytes_;
    };

    copy_groups& groups_;
    const window_view& window_;
    node_synchronisation& node_sync_;
    const operands& from_;
    MPI_Op op_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/combine_in_group.ipp>
#endif
