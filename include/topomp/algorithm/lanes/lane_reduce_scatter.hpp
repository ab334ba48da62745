// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of the sum of all ranks to each rank along lanes.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// The reverse of `all_gather_lanes`: in each node the lanes' ranks reduce all blocks for ranks of their
/// lanes, along each lane each rank receives the sum of the blocks for its group, and the ranks in no lane
/// receive their blocks of it.
class reduce_scatter_lanes final : public operation {
public:
    /// @param mine where the calling rank's block goes; may lie in `input`, which is read before the first
    /// message
    void start(context& all_ranks, const tree_plan& plan, const blocks& input, const message& mine,
               combination combiner);

private:
    enum class phase { inside, along, handing_out, done };

    /// The operands in lane order, in which those for a lane, or a group, are contiguous.
    void copy_in_rank_order(const blocks& input);

    message in_scratch(const scratch_buffer& memory, std::size_t first, std::size_t count) const;
    /// Where the elements for so many groups from one on begin in lane order, and how many they are.
    struct range {
        std::size_t first, count;
    };
    range of_groups(int lane, int node, int groups) const;

    void go(std::size_t i, const tree_edges& edges, int tag, const message& operands, scratch_buffer& sum);

    void go_inside();

    void go_along();

    void hand_out();

    bool are_up();

    TOPOMP_INLINE bool advance() override;

    context* ranks_ = nullptr;
    const lane_order* rank_order_ = nullptr;
    const lane_order::trees* trees_ = nullptr;
    message mine_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL; ///< of the operands
    combination combiner_;
    type_layout layout_{MPI_BYTE};
    std::size_t segment_bytes_ = 0;
    int lane_ = 0, node_ = 0;
    int first_ = 0; ///< the lane's rank in the own node
    bool is_in_lane_ = false;
    phase phase_ = phase::done;
    std::vector<int> tags_;
    std::vector<std::size_t> begin_; ///< of each rank's elements in lane order, and the end
    scratch_buffer operands_;        ///< of all blocks in lane order
    scratch_buffer node_sums_;       ///< of the blocks for the own lane
    scratch_buffer sums_;            ///< of the blocks for the own group
    std::vector<tree_up> ups_;
    std::size_t trees_running_ = 0;
    scratch_buffer temporary_;
    incoming_block in_;
    std::vector<outgoing_block> outs_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_reduce_scatter.ipp>
#endif
