// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node of which each combines what all of them have for it.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// A cell at a time: a rank fills it with a chunk of every other rank's block, and combines its own chunks
/// out of everybody's cells, in the order of ranks. Operands lie there as in the caller's memory, gaps of
/// their type included.
class shared_reduce_scatter {
public:
    /// Whether the elements can be handled here: not if one for each rank fills a cell, or if they run
    /// backwards.
    static bool takes(const type_layout& layout, int ranks);

    /// @param input with a position for each block; the same lengths on all ranks @param mine may lie in it
    /// @pre `takes` @collective over the ranks of the shared memory
    shared_reduce_scatter(shared_room& room, const blocks& input, const message& mine, MPI_Op op);

    void run();

private:
    /// What each rank has of a cell: whole cache lines, so that operands are aligned however many share it.
    static std::size_t slot_bytes_of(int ranks);
    static std::size_t stride_of(const type_layout& layout);
    bool overlap(const message& block) const;
    /// The elements of a chunk of a block.
    message chunk_of(const message& block, std::size_t first) const;
    /// What a rank shows of another's chunk.
    std::byte* slot_of(int owner, int rank, std::size_t step) const;

    void fill(std::size_t step, std::size_t first);

    void combine(std::size_t step, std::size_t first);

    shared_room& room_;
    type_layout layout_;
    const blocks& input_;
    message mine_, result_;
    MPI_Op op_;
    std::size_t slot_bytes_, chunk_; ///< chunk in elements
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_reduce_scatter.ipp>
#endif
