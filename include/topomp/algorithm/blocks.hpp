// SPDX-License-Identifier: BSL-1.0
/// @file
/// One block of elements for each rank of the whole, in one rank's buffer.
#pragma once

#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>

namespace topo {

/// One block of elements for each rank, in one buffer: the result of a gather, the input of a scatter. A
/// view.
///
/// ```
///   count 2:                          0 0 1 1 2 2
///   counts 1, 3, 2:                   0 1 1 1 2 2
///   counts 1, 3, 2, positions 5, 0, 3:  1 1 1 2 2 0
/// ```
struct blocks {
    void* data = nullptr;         ///< the first element of the buffer
    MPI_Datatype type = MPI_BYTE; ///< of each element
    std::size_t count = 0;        ///< elements of each rank's block, if they are all the same
    integers counts{};            ///< else one for each rank
    integers positions{};         ///< and where each begins, in elements; empty: one behind the other

    /// The number of elements of a rank's block.
    std::size_t count_of(int rank) const {
        return counts.empty() ? count : counts[static_cast<std::size_t>(rank)];
    }

    /// Where a rank's block begins, in elements. @pre with counts, there are positions too
    std::size_t position_of(int rank) const {
        return counts.empty() ? static_cast<std::size_t>(rank) * count
                              : positions[static_cast<std::size_t>(rank)];
    }

    /// A rank's block as a message.
    /// @param layout of `type`: obtained from MPI once for many blocks
    message block_of(int rank, const detail::type_layout& layout) const {
        return {layout.element(data, position_of(rank)), count_of(rank), type};
    }
    /// The same, with the layout of `type` asked from MPI.
    message block_of(int rank) const { return block_of(rank, detail::type_layout{type}); }

    /// The blocks of these ranks as one message, if they lie one behind the other in this order; else no
    /// address.
    message run_of(std::span<const int> ranks, const detail::type_layout& layout) const;
};

namespace detail {

/// The same blocks with a position each, if they have counts. @pre `all` outlasts the result, which views its
/// numbers
blocks with_positions(const blocks& all);

/// Bytes of all blocks.
std::size_t total_bytes(const blocks& all, int ranks);

/// Whether a block that is sent from its rank to each other takes clearly longer than all blocks to one rank.
/// @param longest,total bytes of the longest block and of all
bool has_long_block(std::size_t longest, std::size_t total, int ranks);
bool has_long_block(const blocks& all, std::size_t total, int ranks);

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/blocks.ipp>
#endif
