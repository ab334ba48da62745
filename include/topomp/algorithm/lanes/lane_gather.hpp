// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's block to all ranks along lanes.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// In each node the ranks in no lane send their blocks to the lanes' ranks in turn. Along each lane each
/// rank's blocks go to the others, and in each node each lane's rank sends the received blocks to the others.
class all_gather_lanes final : public operation {
public:
    void start(context& ranks, const tree_plan& plan, const blocks& result);

private:
    /// Where each block of the rank order begins among the bytes.
    void measure();

    /// Collects the blocks of ranks in no lane on the lane's rank.
    void collect(context& ranks, const lane_layout& layout);

    /// The bytes of so many groups from one on.
    message packed(std::size_t group, int groups) const;

    TOPOMP_INLINE bool advance() override;

    void finish_collecting();

    void unpack_others();

    const lane_order* rank_order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    int lane_ = 0, node_ = 0, rank_ = 0;
    bool is_in_lane_ = false;
    std::vector<std::size_t> begin_;
    scratch_buffer scratch_; ///< all blocks in lane order
    outgoing_block out_;
    std::vector<incoming_block> in_;
    std::size_t collecting_ = 0; ///< so many first slots are of blocks that are collected
    bool is_collected_ = false, is_unpacked_ = false;
    std::vector<tree_down> along_, inside_;
    std::size_t along_trees_ = 0, inside_trees_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_gather.ipp>
#endif
