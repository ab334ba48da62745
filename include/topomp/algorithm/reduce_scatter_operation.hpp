// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block of the sum along trees: up to rank 0 and down to the owners.
#pragma once

#include <topomp/algorithm/block_sizes.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/scatter_down.hpp>
#include <topomp/algorithm/subtree.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

/// A reduction to rank 0, then a scatter from there: in the order of ranks whatever the placement.
class reduce_scatter_tree final : public operation {
public:
    /// @param input a block for each rank, one behind the other; with counts there are positions too
    /// @param mine may lie in `input` @param elements of all blocks
    /// @pre if `how` is not commutative, the plan keeps the order
    void start(team& ranks, const tree_plan& plan, const blocks& input, std::size_t elements,
               const message& mine, combination how) {
        slots_.clear();
        const auto order = how.is_commutative ? operand_order::any : operand_order::of_ranks;
        team& chosen = ranks.for_operands(plan, order);
        const tree_edges& up = chosen.edges_for(plan, 0, order);
        below_ = &ranks.subtree_for(plan, 0);
        edges_ = &ranks.edges_for(plan, 0, operand_order::any);
        ranks_ = &ranks;
        mine_ = mine;
        is_up_ = false;
        const type_layout layout{input.type};
        sizes_.set_each(below_->ranks, [&](int rank) { return input.count_of(rank) * layout.size; });
        message sum{nullptr, elements, input.type};
        if (up.parent < 0) {
            sum_.reserve(layout.span(elements));
            sum.data = sum_.data() - layout.true_lower;
        }
        source_ = input;
        source_.data = sum.data;
        const int up_tag = chosen.next_tag();
        down_tag_ = ranks.next_tag();
        up_.start(chosen.wire(), up_tag, up, input.data, sum, how, cut(sum, plan.segment_bytes), slots_);
    }

private:
    bool advance() override {
        if (!is_up_) {
            if (!up_.advance()) return false;
            is_up_ = true;
            slots_.clear();
            down_.start(ranks_->wire(), down_tag_, *edges_, *below_, sizes_, source_, mine_, slots_);
        }
        return down_.advance();
    }

    team* ranks_ = nullptr;
    const subtree* below_ = nullptr;
    const tree_edges* edges_ = nullptr; ///< down
    message mine_;
    blocks source_; ///< rank 0's, of the sum
    block_sizes sizes_;
    cell sum_;
    tree_up up_;
    scatter_down down_;
    int down_tag_ = 0;
    bool is_up_ = false;
};

} // namespace topo::detail
