// SPDX-License-Identifier: BSL-1.0
/// @file
/// The level algorithm `rounds_in_lanes`: slices along lanes, through the memory of nodes.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <optional>

namespace topo::detail {

/// The nodes of a plan, and the lane of the calling rank: as many lanes as the smallest node has ranks. Of
/// larger nodes the first ranks have one.
class lanes_of_slices : public nodes_with_rooms {
public:
    /// @collective over the context @cost that of `nodes_with_rooms`, a split, and a hierarchy of a rank of
    /// each node
    lanes_of_slices(context& ranks, const loop_plan& plan);

    /// Whether there are several lanes. The same on all ranks.
    bool works() const { return nodes_with_rooms::works() && least_size_ > 1; }

    /// The functions below return false, on all ranks, if they have done nothing.
    bool broadcast(const message& what, int root);

    /// @param result used on the root @pre the operation is commutative
    bool reduce(const void* input, const message& result, MPI_Op op, int root);

    /// @pre the operation is commutative
    bool all_reduce(const void* input, const message& result, MPI_Op op);

    /// For other slices than those of this class. @pre the calling rank has a lane
    context& lane() { return context::of(*lane_); }
    /// Of all ranks: whose other operations go on while one of a lane is awaited.
    context& whole() { return ranks_; }
    using nodes_with_rooms::nodes;
    using nodes_with_rooms::number;
    using nodes_with_rooms::ranks_of;
    using nodes_with_rooms::size;
    /// The calling rank's, which is its rank in its lane.
    using nodes_with_rooms::node;
    /// Whether the ranks of each node follow each other. The same on all ranks.
    bool are_in_rank_order() const { return in_rank_order_; }
    /// One for each of the first ranks of a node.
    int lanes() const { return least_size_; }
    /// Of the largest node.
    int most_ranks() const { return most_size_; }
    /// Up to so many ranks meet in a round.
    int radix() const { return radix_; }
    /// Up to so many bytes of a lane are exchanged whole in an all_reduce.
    std::size_t whole_bytes() const { return whole_bytes_; }
    /// Whether the ranks of a lane are so many that rounds of these begin with pairs.
    bool folds_lanes() const;
    /// The memory of the calling rank's node.
    shared_room& room() const { return *room_; }
    /// Whether each rank has a lane. The same on all ranks.
    bool are_even() const { return is_even_; }

private:
    /// Bytes of a piece of a broadcast: a half of a rank's memory, so that one is sent while another is read.
    static constexpr std::size_t piece_bytes = shared_room::half_bytes;
    struct range {
        std::size_t first = 0, bytes = 0;
    };
    /// A rank's slice of a piece; the last ones may be empty.
    range slice_of(int number, std::size_t length) const;
    /// A piece in a rank's memory.
    std::byte* piece_of(int number, std::size_t piece) const {
        return room_->data_of(number) + piece % 2 * piece_bytes;
    }
    bool broadcast_in_memory(const message& what, int root);
    /// The root's node: one rank writes, the others read.
    void spread(int holder, std::byte* data, std::size_t piece, std::size_t length, int source);
    /// Another node: each rank receives its slice, and reads those of the others.
    void take(std::byte* data, std::size_t piece, std::size_t length, int source);
    void send_slice(std::byte* from, std::size_t length, int source);

    std::optional<hierarchy> lane_; ///< of one rank of each node; a rank may have none
    int radix_;
    std::size_t whole_bytes_;
    bool in_rank_order_ = true;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/lanes_of_slices.ipp>
#endif
