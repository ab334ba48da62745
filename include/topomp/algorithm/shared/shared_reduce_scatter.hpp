// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reduce-scatter among the ranks of a node.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// One chunk at a time: a rank fills it with a section of every other rank's block, and combines the sections
/// of its own block out of all ranks' chunks, in rank order. Short blocks lie together behind the rank's
/// signal. Operands lie there as in the caller's memory, gaps of their type included.
class shared_reduce_scatter {
public:
    /// Whether this algorithm accepts the elements: not if one for each rank fills a chunk, or if they have a
    /// negative extent.
    static bool takes(const type_layout& layout, int ranks);

    /// @param input with a position for each block; the same lengths on all ranks @param mine may lie in it
    /// @pre `takes` @collective over the ranks of the shared memory
    shared_reduce_scatter(shared_room& room, const blocks& input, const message& mine, MPI_Op op);

    void run();

private:
    /// Each rank's share of a chunk: whole cache lines, so that operands are aligned whatever the number of
    /// ranks.
    static std::size_t slot_bytes_of(int ranks);
    static std::size_t stride_of(const type_layout& layout);
    bool overlap(const message& block) const;
    /// The elements of a section of a block.
    message chunk_of(const message& block, std::size_t first) const;
    /// The operands that a rank exposes for another's section.
    std::byte* slot_of(int owner, int rank, std::size_t step) const;

    void fill(std::size_t step, std::size_t first);

    void combine(std::size_t step, std::size_t first);

    shared_room& room_;
    type_layout layout_;
    const blocks& input_;
    message mine_, result_;
    MPI_Op op_;
    bool is_in_post_ = false;
    std::size_t slot_bytes_; ///< from section to section
    std::size_t chunk_;      ///< the longest section, in elements
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_reduce_scatter.ipp>
#endif
