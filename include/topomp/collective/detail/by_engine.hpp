// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms that a blocking and a non-blocking verb have in common: which engine runs, and how it
/// starts.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/all_to_all_bruck.hpp>
#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/algorithm/rounds/all_to_all_rounds.hpp>
#include <topomp/algorithm/rounds/dissemination_operation.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/message.hpp>
#include <topomp/policy/detail/selection.hpp>

namespace topo::detail {

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
template <way Only = way::any, class Go>
auto barrier_by_engine(team& ranks, const selection& chosen, Go go) {
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return go(ranks.pool<all_reduce_operation>(),
                      [&](all_reduce_operation& op) { op.start_barrier(ranks, chosen.plan); });
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling)
            return go(ranks.pool<all_reduce_exchange>(),
                      [&](all_reduce_exchange& op) { op.start_barrier(ranks, chosen.radix); });
    if constexpr (may_be(Only, way::dissemination))
        if (chosen.how == way::dissemination)
            return go(ranks.pool<dissemination_operation>(),
                      [&](dissemination_operation& op) { op.start(ranks); });
    refuse("topo::barrier");
}

/// @param go begins an engine @pre the policy serves broadcasts in the background
template <way Only = way::any, class Go>
auto broadcast_by_engine(team& ranks, const message& what, int root, const selection& chosen, Go&& go) {
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling)
            return go(ranks.pool<broadcast_exchange>(),
                      [&](broadcast_exchange& op) { op.start(ranks, what, root, chosen.radix); });
    return go(ranks.pool<broadcast_operation>(),
              [&](broadcast_operation& op) { op.start_at_once(ranks, chosen.plan, what, root); });
}

/// @param go begins an engine @pre the policy serves reductions in the background
template <way Only = way::any, class Go>
auto reduce_by_engine(team& ranks, const void* input, const message& result, combination how, int root,
                      const selection& chosen, Go&& go) {
    if constexpr (may_be(Only, way::rabenseifner))
        if (chosen.how == way::rabenseifner)
            return go(ranks.pool<reduce_exchange>(),
                      [&](reduce_exchange& op) { op.start(ranks, input, result, how, root, chosen.radix); });
    return go(ranks.pool<reduce_operation>(),
              [&](reduce_operation& op) { op.start_at_once(ranks, chosen.plan, input, result, how, root); });
}

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
template <way Only = way::any, class Go>
auto all_reduce_by_engine(team& ranks, const void* input, const message& result, combination how,
                          const selection& chosen, Go go) {
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return go(ranks.pool<all_reduce_operation>(),
                      [&](all_reduce_operation& op) { op.start(ranks, chosen.plan, input, result, how); });
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling)
            return go(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
                op.start_doubling(ranks, input, result, how, chosen.radix);
            });
    if constexpr (may_be(Only, way::rabenseifner))
        if (chosen.how == way::rabenseifner)
            return go(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
                op.start_halving(ranks, input, result, how, chosen.radix, chosen.whole_bytes);
            });
    if constexpr (may_be(Only, way::ring))
        if (chosen.how == way::ring)
            return go(ranks.pool<all_reduce_exchange>(),
                      [&](all_reduce_exchange& op) { op.start_ring(ranks, input, result, how); });
    refuse("topo::all_reduce");
}

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
/// @pre the calling rank's block is in its place
template <way Only = way::any, class Go>
auto all_gather_by_engine(team& ranks, const blocks& result, const selection& chosen, Go go) {
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return go(ranks.pool<all_gather_tree>(), [&](all_gather_tree& op) {
                op.start(ranks, chosen.plan, result.block_of(ranks.rank()), result);
            });
    if constexpr (may_be(Only, way::ring))
        if (chosen.how == way::ring)
            return go(ranks.pool<all_gather_ring>(),
                      [&](all_gather_ring& op) { op.start(ranks, ranks.order(), result); });
    if constexpr (may_be(Only, way::bruck))
        if (chosen.how == way::bruck)
            return go(ranks.pool<all_gather_bruck>(),
                      [&](all_gather_bruck& op) { op.start(ranks, ranks.order(), result); });
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling)
            return go(ranks.pool<all_gather_doubling>(),
                      [&](all_gather_doubling& op) { op.start(ranks, result, chosen.radix); });
    refuse("topo::all_gather");
}

/// The engines, which also go on in the background. @param go `to_the_end` or `in_background`
template <way Only = way::any, class Go>
auto all_to_all_by_engine(team& ranks, const blocks& source, const blocks& result, const selection& chosen,
                          Go go) {
    const exchange_order& order = ranks.order();
    if constexpr (may_be(Only, way::recursive_doubling))
        if (chosen.how == way::recursive_doubling) {
            const folded_order& row = ranks.kept<folded_orders>().of(chosen.radix);
            if (all_to_all_rounds::fits(row))
                return go(ranks.pool<all_to_all_rounds>(),
                          [&](all_to_all_rounds& op) { op.start(ranks, row, source, result); });
        }
    if constexpr (may_be(Only, way::bruck) || may_be(Only, way::recursive_doubling))
        if (chosen.how == way::bruck || chosen.how == way::recursive_doubling)
            return go(ranks.pool<all_to_all_bruck>(),
                      [&](all_to_all_bruck& op) { op.start(ranks, order, source, result); });
    return go(ranks.pool<all_to_all_pairwise>(),
              [&](all_to_all_pairwise& op) { op.start(ranks, order, source, result); });
}

} // namespace topo::detail
