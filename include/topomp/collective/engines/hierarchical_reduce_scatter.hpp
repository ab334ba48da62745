// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `hierarchical`: reduce_scatter.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/core/message.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

/// All blocks by an all_reduce, of which each rank copies its own.
template <class Go>
void start(engine<algorithm::hierarchical>, const reduce_scatter_call& call, const plan& chosen, Go) {
    struct whole_sum {
        explicit whole_sum(context&) {}
        scratch_buffer memory, spare;
    };
    auto& kept = call.ranks.template attached<whole_sum>();
    const type_layout layout{call.input.type};
    kept.memory.reserve(layout.span(call.elements));
    blocks sum = call.input;
    sum.data = kept.memory.data() - layout.true_lower;
    hierarchical_all_reduce(call.ranks, chosen.loop, call.input.data,
                            {sum.data, call.elements, call.input.type}, call.combiner);
    copy_block(sum.block_of(call.ranks.rank(), layout), call.mine, kept.spare);
}

} // namespace topo::detail
