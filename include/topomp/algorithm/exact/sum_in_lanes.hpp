// SPDX-License-Identifier: BSL-1.0
/// @file
/// Long sums that are rounded once, through the memory of nodes and along lanes between them.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>

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

/// A sum for all ranks or some in blocks, piece after piece. Each rank of a node adds a slice of the operands
/// of all its ranks, exchanges the sums of its slice along its lane (`sum_exchange`), and takes the rounded
/// sums of the others. In a node with more ranks than lanes all ranks add, before the first ones exchange.
/// @cost inside nodes that of `rounds_in_lanes`; between them that of `sum_exchange`
template <class Block>
class sum_in_lanes {
public:
    using T = typename Block::number;

    /// @param ranks of all nodes: whoever waits in the memory of a node goes on with their operations
    /// @param has_result whether the calling rank gets the sums of all elements
    sum_in_lanes(context& ranks, lanes_of_slices& nodes, const exact_call<T>& call, bool has_result);

    /// @collective over the nodes' ranks @return the same columns on all ranks
    lost_columns<T> run();

private:
    /// Of columns.
    struct range {
        std::size_t begin = 0, end = 0;

        std::size_t length() const { return end - begin; }
    };
    /// A piece that is filled, two that are exchanged, one that is taken.
    static constexpr std::size_t exchanged = 2, places = exchanged + 2;
    static constexpr std::size_t place_bytes = shared_room::chunks * shared_room::chunk_bytes / places;

    /// If blocks are in the memory of the node, too, they are those of a third of a piece at the most.
    static constexpr std::size_t longest_piece(bool is_even) {
        constexpr std::size_t of_blocks = sizeof(Block) / Block::columns / 2;
        return place_bytes / (sizeof(T) + (is_even ? 0 : of_blocks)) / Block::columns * Block::columns;
    }

    range piece(std::size_t step) const;
    /// Whole blocks of a piece.
    range part(std::size_t step, int number, int parts) const;
    range slice(std::size_t step) const { return part(step, room_.rank(), room_.size()); }
    range own(std::size_t step) const { return part(step, room_.rank(), nodes_.lanes()); }
    bool has_lane() const { return room_.rank() < nodes_.lanes(); }
    /// Whether ranks exchange what they add.
    bool exchanges_slices() const { return room_.size() == nodes_.lanes(); }

    /// A rank's operands of a piece; where its own part is, afterwards the sums.
    T* place(int rank, std::size_t step) const;
    T* column(int rank, std::size_t step, std::size_t column) const {
        return place(rank, step) + (column - piece(step).begin);
    }
    /// Those of a rank's slice, behind that.
    Block* blocks(int rank, std::size_t step) const;

    void fill(std::size_t step);
    /// Adds the operands of all ranks of the node.
    void add(std::size_t step, range columns, std::span<Block> sums) const;
    void load_part(std::size_t step, std::span<Block> sums) const;
    started start_exchange(std::size_t step);
    void end_exchange(std::size_t step, started& exchange);
    void take(std::size_t step);
    void note_lost(const T* sums, range columns);

    context& ranks_;
    lanes_of_slices& nodes_;
    shared_room& room_;
    const exact_call<T>& call_;
    bool has_result_;
    std::size_t longest_piece_;
    lost_columns<T> lost_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/sum_in_lanes.ipp>
#endif
