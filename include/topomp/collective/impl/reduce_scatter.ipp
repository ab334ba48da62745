// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/lanes/lane_reduce_scatter.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/algorithm/progress/cell.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/shared/shared_reduce_scatter.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>
#include <topomp/policy/detail/tuned.hpp>

#include <climits>

#include <cstddef>
#include <span>
#include <string>

namespace topo::detail {

TOPOMP_INLINE std::size_t require_reduce_scatter(const hierarchy& tree, const blocks& input,
                                                 const message& mine) {
    constexpr auto call = "topo::reduce_scatter";
    if (!input.counts.empty()) require_counts(call, input, tree);
    if (!input.positions.empty())
        throw argument_error(call, "positions", "they are given, but the blocks lie one behind the other");
    const std::size_t elements =
        input.counts.empty() ? elements_of_all(call, input.count, 1, tree) : extent_of(call, input).sum;
    require_memory(call, "length of all blocks", elements, type_layout{input.type});
    const std::size_t expected = input.count_of(tree.whole().rank());
    if (mine.data != MPI_IN_PLACE && mine.count != expected)
        throw argument_error(call, "mine",
                             "it has room for " + number_of(mine.count, "element") +
                                 ", this rank's block has " + std::to_string(expected));
    return elements;
}

TOPOMP_INLINE void hierarchical_reduce_scatter(team& ranks, const loop_plan& plan, const blocks& input,
                                               std::size_t elements, const message& mine, combination how) {
    struct whole_sum {
        explicit whole_sum(team&) {}
        cell memory, spare;
    };
    auto& kept = ranks.kept<whole_sum>();
    const type_layout layout{input.type};
    kept.memory.reserve(layout.span(elements));
    blocks sum = input;
    sum.data = kept.memory.data() - layout.true_lower;
    hierarchical_all_reduce(ranks, plan, input.data, {sum.data, elements, input.type}, how);
    copy_block(sum.block_of(ranks.rank(), layout), mine, kept.spare);
}

template <way Only>
void reduce_scatter(const hierarchy& tree, const blocks& input, std::size_t elements, const message& mine,
                    combination how, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::reduce_scatter", {input.data, mine.data});
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) {
            // What MPI's calls cannot count or combine, which all ranks see alike, goes along trees.
            if (const type_layout layout{input.type}; elements > INT_MAX ||
                                                      elements * layout.size > INT_MAX ||
                                                      !reduces_and_scatters(layout, how.is_commutative))
                return reduce_scatter(tree, input, elements, mine, how,
                                      {way::tree, tree_plan_of<long_ordered_policy>});
            return flat_reduce_scatter(ranks, input, elements, mine, how.op);
        }
    if constexpr (may_be(Only, way::hierarchical))
        if (chosen.how == way::hierarchical)
            return hierarchical_reduce_scatter(ranks, chosen.loop, input, elements, mine, how);
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return run(ranks.pool<reduce_scatter_tree>(), [&](reduce_scatter_tree& op) {
                op.start(ranks, chosen.plan, input, elements, mine, how);
            });
    if constexpr (may_be(Only, way::recursive_halving))
        if (chosen.how == way::recursive_halving)
            return run(ranks.pool<reduce_scatter_exchange>(), [&](reduce_scatter_exchange& op) {
                op.start_halving(ranks, input, mine, how, chosen.radix);
            });
    if constexpr (may_be(Only, way::ring))
        if (chosen.how == way::ring)
            return run(ranks.pool<reduce_scatter_exchange>(),
                       [&](reduce_scatter_exchange& op) { op.start_ring(ranks, input, mine, how); });
    if constexpr (may_be(Only, way::shared))
        if (chosen.how == way::shared) {
            if (shared_blocks node{ranks};
                node.works() && shared_reduce_scatter::takes(type_layout{input.type}, ranks.wire().size()))
                return node.reduce_scatter(input, mine, how.op);
            return reduce_scatter<way::flat>(tree, input, elements, mine, how, {way::flat, {}});
        }
    if constexpr (may_be(Only, way::lanes))
        if (chosen.how == way::lanes)
            return lane_reduce_scatter(ranks, chosen.plan, input, elements, mine, how);
    refuse("topo::reduce_scatter");
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_reduce_scatter = forms_of<verb::reduce_scatter>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, std::size_t, const message&, combination,
                                const selection&)>(&reduce_scatter<Only>);
});
#endif

} // namespace topo::detail
