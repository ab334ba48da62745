// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void reduce_scatter_tree::start(context& ranks, const tree_plan& plan, const blocks& input,
                                              std::size_t elements, const message& mine,
                                              combination combiner) {
    slots_.clear();
    const auto order = combiner.is_commutative ? operand_order::any : operand_order::of_ranks;
    context& chosen = ranks.for_operands(plan, order);
    const tree_edges& up = *chosen.edges_for(plan, 0, order);
    below_ = ranks.subtree_for(plan, 0).get();
    edges_ = ranks.edges_for(plan, 0, operand_order::any).get();
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
    up_.start(chosen.private_comm(), up_tag, up, input.data, sum, combiner, cut(sum, plan.segment_bytes),
              slots_);
}

TOPOMP_INLINE bool reduce_scatter_tree::advance() {
    if (!is_up_) {
        if (!up_.advance()) return false;
        is_up_ = true;
        slots_.clear();
        down_.start(ranks_->private_comm(), down_tag_, *edges_, *below_, sizes_, source_, mine_, slots_);
    }
    return down_.advance();
}

} // namespace topo::detail
