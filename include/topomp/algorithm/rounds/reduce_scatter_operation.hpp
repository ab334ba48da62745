// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's block of the sum along trees: up to rank 0 and down to the owners.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/scatter_down.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

/// A reduction to rank 0, then a scatter from there: in the order of ranks whatever the placement.
class reduce_scatter_tree final : public operation {
public:
    /// @param input a block for each rank, one behind the other; with counts there are positions too
    /// @param mine may lie in `input` @param elements of all blocks
    /// @pre if `combiner` is not commutative, the plan preserves the order
    void start(context& ranks, const tree_plan& plan, const blocks& input, std::size_t elements,
               const message& mine, combination combiner);

private:
    TOPOMP_INLINE bool advance() override;

    context* ranks_ = nullptr;
    const subtree* below_ = nullptr;
    const tree_edges* edges_ = nullptr; ///< down
    message mine_;
    blocks source_; ///< rank 0's, of the sum
    block_sizes sizes_;
    scratch_buffer sum_;
    tree_up up_;
    scatter_down down_;
    int down_tag_ = 0;
    bool is_up_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/reduce_scatter_operation.ipp>
#endif
