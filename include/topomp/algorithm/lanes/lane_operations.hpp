// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reductions in stripes along lanes.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

/// Each stripe down the tree of its lane.
void start_lane_broadcast(broadcast_stripes& op, context& ranks, const tree_plan& plan, const message& what,
                          int root);

/// Up the trees of all lanes: each stripe is summed on the lane's rank of the root's node, and sent from
/// there to the root. For all ranks: to the first node and down the trees again.
class lane_reduction final : public operation {
public:
    /// @param result where the root gets the result; elsewhere only its count and type matter
    void start_reduce(context& ranks, const tree_plan& plan, const void* input, const message& result,
                      combination combiner, int root);

    void start_all_reduce(context& ranks, const tree_plan& plan, const void* input, const message& result,
                          combination combiner);

private:
    static operand_order order_for(combination combiner);

    void begin(std::shared_ptr<const lane_trees> trees);

    /// A rank's operands in a stripe of the message.
    const void* input_of(const void* input, const message& like, std::size_t lane) const;

    /// The sum of the own lane's stripe, before it is sent to the root.
    message room_for(message part);

    TOPOMP_INLINE bool advance() override;

    std::shared_ptr<const lane_trees> trees_; ///< by lane, as all that follows
    std::vector<tree_up> ups_;
    std::vector<tree_down> downs_; ///< down the same tree, or from the lane's rank to the root
    std::vector<tree_edges> hops_;
    std::vector<bool> has_down_;
    scratch_buffer sum_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_operations.ipp>
#endif
