// SPDX-License-Identifier: BSL-1.0
/// @file
/// Long sums that are rounded once, through the memory of nodes and along lanes between them.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// The columns of a sum that blocks do not hold, ascending, and the calling rank's operands of them.
template <class T>
struct lost_columns {
    std::vector<std::size_t> columns;
    std::vector<T> operands;
};

/// A sum in blocks, piece after piece, for all ranks, or some, or a block of the columns for each. Each rank
/// of a node adds a slice of the operands of all its ranks, exchanges the sums of its slice along its lane
/// (`sum_exchange`), and takes the rounded sums of the others. In a node with more ranks than lanes all ranks
/// add, before the first ones exchange.
///
/// Where each rank gets a block, a section of each piece has the columns for a node, and a part of each
/// section goes along each lane; else there is one section.
/// @cost inside nodes that of `rounds_in_lanes`; between them that of `sum_exchange`
template <class Block>
class sum_in_lanes {
public:
    using T = typename Block::number;

    /// Whether pieces have space for all sections. The same on all ranks.
    static bool takes(const lanes_of_slices& nodes) {
        return static_cast<std::size_t>(nodes.nodes()) < longest_piece(nodes.are_even()) / 2;
    }

    /// @param ranks of all nodes: a rank that waits for a value in its node's memory advances their
    /// operations
    /// @param result where the sums of the calling rank go; not in the operands if each rank gets a block of
    /// them; null: nowhere
    /// @pre `takes`
    sum_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call, T* result);

    /// @collective over the nodes' ranks @return the columns of the calling rank's sums: if all ranks get all
    /// sums, the same on all of them
    lost_columns<T> run();

private:
    using range = block_range; ///< of columns, or of blocks of a piece
    /// The columns for a node, some of them one behind the other in the operands.
    struct section {
        std::vector<range> runs;
        std::size_t columns = 0;

        void append(std::size_t column, std::size_t count);
        bool is_one_run() const { return runs.size() == 1; }
    };
    /// A piece that is filled, two that are exchanged, one that is taken.
    static constexpr std::size_t exchanged = 2, places = exchanged + 2;
    static constexpr std::size_t place_bytes = shared_room::chunks * shared_room::chunk_bytes / places;

    /// In blocks. If these are in the memory of the node, too, they are those of a third of a piece at the
    /// most.
    static constexpr std::size_t longest_piece(bool is_even) {
        constexpr std::size_t numbers = Block::columns * sizeof(T);
        return place_bytes / (numbers + (is_even ? 0 : sizeof(Block) / 2));
    }

    void divide_among_nodes();
    std::size_t blocks_of_section(std::size_t number) const {
        return blocks_of<Block>(sections_[number].columns);
    }
    /// Where a section's first block of a piece is among its blocks.
    std::size_t first_block(std::size_t step, std::size_t number) const {
        return blocks_of_section(number) * step / steps_;
    }
    /// Of a section in a piece.
    range blocks_in(std::size_t step, std::size_t number) const;
    std::size_t blocks_in(std::size_t step) const { return begins_[step % places].back(); }
    range part_of_lane(std::size_t step, std::size_t number, int lane) const {
        return blocks_in(step, number).part(lane, nodes_.lanes());
    }
    /// In a node with more ranks than lanes.
    range slice(std::size_t step, int rank) const {
        return range{0, blocks_in(step)}.part(rank, room_.size());
    }
    /// What the calling rank adds of a section.
    range added(std::size_t step, std::size_t number) const;
    bool has_lane() const { return room_.rank() < nodes_.lanes(); }
    /// Whether ranks exchange what they add.
    bool exchanges_slices() const { return room_.size() == nodes_.lanes(); }

    /// A rank's operands of a piece in blocks; where its own parts are, afterwards the sums.
    T* place(int rank, std::size_t step, std::size_t block) const;
    /// Those of a rank's slice, behind that.
    Block* sums_of_slice(int rank, std::size_t step) const;

    void fill(std::size_t step);
    void fill(std::size_t step, std::size_t number, range blocks) const;
    /// Adds the operands of all ranks of the node.
    void add(std::size_t step, std::size_t number, range blocks, Block* sums) const;
    void add_slice(std::size_t step) const;
    void load_part(std::size_t step, std::size_t number, std::span<Block> sums) const;
    started start_exchange(std::size_t step);
    void end_exchange(std::size_t step, started& exchange);
    void take(std::size_t step);
    void take(const T* sums, range columns);

    context& ranks_;
    lanes_of_slices& nodes_;
    shared_room& room_;
    const exact_call<T>& call_;
    T* result_;
    std::vector<section> sections_;
    std::size_t own_section_ = 0, steps_ = 0;
    range own_columns_;                                   ///< of that section
    std::size_t first_own_ = 0;                           ///< the column of the first of them
    std::array<std::vector<std::size_t>, places> begins_; ///< of each section in a piece, and the end
    lost_columns<T> lost_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/sum_in_lanes.ipp>
#endif
