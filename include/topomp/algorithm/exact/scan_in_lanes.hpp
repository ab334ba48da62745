// SPDX-License-Identifier: BSL-1.0
/// @file
/// Long prefix sums that are rounded once, through the memory of nodes and along lanes between them.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Prefix sums in blocks, piece after piece. Each rank of a node adds a slice of the operands of all its
/// ranks; the sums before the node go along lanes (`prefix_exchange`); from these on, each rank adds its
/// slice once more, and writes the rounded sums up to each rank in the place of that rank's operands.
/// @cost inside nodes four copies; between them that of `prefix_exchange`
template <class Block>
class scan_in_lanes {
public:
    using T = typename Block::number;

    /// @param ranks of all nodes: a rank that waits for a value in its node's memory advances their
    /// operations
    /// @param result of the calling rank; not in its operands; null: nowhere
    /// @pre the ranks of each node follow each other
    scan_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call, T* result);

    /// @collective over the nodes' ranks @return the columns of the calling rank's result
    std::vector<std::size_t> run();

private:
    using range = block_range; ///< of blocks of a piece
    /// In blocks. Behind it are the sums of a slice, a third of it at the most, and of a lane, a half.
    static constexpr std::size_t longest_piece =
        shared_room::chunks * shared_room::chunk_bytes / (Block::columns * sizeof(T) + sizeof(Block)) / 6 * 6;

    std::size_t columns(std::size_t step) const;
    range blocks(std::size_t step) const { return {0, blocks_of<Block>(columns(step))}; }
    range slice(std::size_t step, int rank) const { return blocks(step).part(rank, room_.size()); }
    range part_of_lane(std::size_t step, int lane) const { return blocks(step).part(lane, nodes_.lanes()); }

    /// A rank's operands of a piece, afterwards its result.
    T* place(int rank, std::size_t block = 0) const;
    Block* sums_of_slice(int rank) const { return reinterpret_cast<Block*>(place(rank, longest_piece)); }
    Block* sums_of_lane(int rank) const { return sums_of_slice(rank) + longest_piece / 3; }

    void fill(std::size_t step);
    void add(std::size_t step, std::span<Block> sums) const;
    void exchange(std::size_t step, std::span<Block> sums);
    void write(std::size_t step, std::span<Block> sums) const;
    void take(std::size_t step);

    context& ranks_;
    lanes_of_slices& nodes_;
    shared_room& room_;
    const exact_call<T>& call_;
    T* result_;
    std::vector<std::size_t> lost_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/scan_in_lanes.ipp>
#endif
