// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plans that were measured to be the best, for keys near those that were measured.
///
/// On a machine with several levels, the plans that scripts/tune found best in simulation, where nodes share
/// no memory: decide/detail/tuned_table.hpp. Whether an all-to-all had better go through the memory of nodes,
/// the models say. An all-gather over nodes that share memory goes node by node,
/// which was faster at all simulated points (docs/benchmarks_log.md). Inside one node, and where ranks
/// outnumber cores: tuned_node.hpp.
#pragma once

#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/tuned_node.hpp>
#include <topomp/decide/detail/tuned_row.hpp>
#include <topomp/decide/detail/tuned_table.hpp>
#include <topomp/decide/detail/usual_messages.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <span>

namespace topo {

namespace detail {

using unknown_blocks_policy = linear;
using few_senders_policy = postal<6>;
using long_broadcast_policy = segmented<16384, two_levels<chain>>;

/// The best plan for a verb by scripts/tune.
constexpr const plan& best_plan(const call_key& now, verb what) {
    const std::span<const tuned_row> table =
        now.crosses_nodes() ? std::span<const tuned_row>{tuned_between_nodes} : tuned_inside_machine;
    return *look_up(table, what, now.bytes, now.ranks, now.nodes());
}
/// The same if operands must be combined in rank order: trees that preserve it.
constexpr const plan& best_plan_in_order(const call_key& now) {
    const std::span<const tuned_row> table = now.crosses_nodes()
                                                 ? std::span<const tuned_row>{tuned_between_nodes_in_order}
                                                 : tuned_inside_machine_in_order;
    return *look_up(table, verb::reduce, now.bytes, now.ranks, now.nodes());
}

/// Trees for broadcast, reduce, and what is like them: a pipeline where two trees would be faster; a tree
/// that preserves the order where rounds would be.
constexpr tree_plan choose_tree(const call_key& now) {
    const plan& best = best_plan(now, now.what == verb::broadcast ? verb::broadcast : verb::reduce);
    if (now.is_commutative && best.uses == algorithm::tree) return best.tree;
    if (now.is_commutative && best.uses == algorithm::split_trees) return tree_plan_of<long_broadcast_policy>;
    return best_plan_in_order(now).tree;
}

/// Whether a rooted verb with blocks goes in one message for each node, and through the memory of nodes;
/// inside one machine NUMA nodes are in their place. The root's messages to all nodes are under way together,
/// so that many nodes would wait for each other's start; and a gather sends nothing before all ranks of a
/// node have written. Simulated microseconds by this and by the fastest tree, in charged nodes, 2026-11-25:
///
/// ```
///   bytes                   8            512            8 KiB
///   scatter, ntw10e5        4.3   6.4    11.4   16.3    145    151
///   scatter, slow16x16      15.2  18.5   110    114     1585   1591
///   gather, ntw10e5         5.2   6.6    20.5   15.5    165    157
///   gather, slow16x16       17.5  20.2   121    118     1598   1597
/// ```
constexpr bool takes_memory_of_nodes(const call_key& now) {
    constexpr int most_nodes = 63;
    constexpr std::size_t kib = 1024;
    // A root packs the blocks of ranks that are not next to each other.
    const std::size_t most_scattered = now.is_interleaved ? 16 * kib : 256 * kib;
    // What comes from other NUMA nodes comes sooner: 256 bytes on 20 NUMA nodes of 8 take 10.3 us, and 10.1
    // along a tree, 512 bytes 17.7 and 12.8; of 8 bytes these are 3.3 and 6.3.
    const std::size_t most_gathered = now.crosses_nodes() ? 4 * kib : 2 * kib;
    const std::size_t most_of_node = now.what == verb::scatter ? most_scattered : most_gathered;
    const int nodes = now.crosses_nodes() ? now.nodes() : now.numa_nodes();
    const int ranks_of_node = now.crosses_nodes() ? now.ranks_of_node : (now.ranks + nodes - 1) / nodes;
    return (now.crosses_nodes() || now.has_numa_nodes()) && now.uses_memory && ranks_of_node > 1 &&
           nodes <= most_nodes && now.bytes <= most_of_node / static_cast<std::size_t>(ranks_of_node);
}

/// Whether a root had better gather from few ranks that have blocks of others: where each node has one rank,
/// for blocks from which on the tuned table has all ranks send to the root, as with many ranks in a node. Of
/// 8 KiB these messages take 38.7 us among 32 nodes of ntw32x16 and 14.3 among 16 of fast16x32, with few
/// senders 23.0 and 7.5; of 32 KiB 89.8 and 15.0, and 82.6 and 11.8.
constexpr bool has_few_senders(const call_key& now) {
    return now.what == verb::gather && now.crosses_nodes() && now.ranks_of_node == 1 && now.bytes >= 3072;
}

/// Whether an all_gather inside one machine goes through the memory of its NUMA nodes: of short blocks fewer
/// steps are faster, and of long ones one copy.
constexpr bool takes_memory_of_numa_nodes(const call_key& now) {
    constexpr std::size_t least = 128, most = 2048;
    return !now.crosses_nodes() && now.has_numa_nodes() && now.uses_memory && now.bytes >= least &&
           now.bytes <= most;
}

/// From so many bytes on a message inside a node is copied once, not through a buffer.
inline constexpr auto copied_once = static_cast<std::size_t>(usual_inside_node.buffered_below);

/// Whether an all_gather inside one machine is a neighbour exchange, in which messages inside NUMA nodes and
/// between them overlap, as those of rounds do not: if two blocks are copied once. Simulated microseconds of
/// this, of a ring and of k_ary_recursive_doubling<8> in charged nodes, 2026-11-27:
///
/// ```
///   bytes of a block          16 KiB             32 KiB             64 KiB
///   smp20e7                   1279   931   841   1302  1821  1678   2549  2603  3352
///   smp12e5, kept out          515   414   358    510   770   714   1001  1205  1424
/// ```
constexpr bool overlaps_numa_nodes(const call_key& now) {
    return !now.crosses_nodes() && now.has_numa_nodes() && now.uses_memory && 2 * now.bytes >= copied_once &&
           !now.has_long_block(); // which would go around by itself
}

/// Whether a reduce_scatter among ranks that share memory goes in rounds of two and three: of the blocks of
/// all ranks, messages of a half and a quarter are long enough to be copied once, shorter ones go through a
/// buffer. Simulated microseconds of radix 3, of radix 8 and along lanes, in charged nodes, 2026-11-27:
///
/// ```
///   bytes of a block    512                  1 KiB                2 KiB                4 KiB
///   ntw10e5             69.7  68.1  56.9     107.5 130.9 109.1    175.3 174.8 216.3    326.6 326.0 435.7
///   smp20e7             57.1  53.8  55.2     84.8  104.4 101.7    139.2 204.3 196.3    248.3 247.2 256.0
///   uneven6             28.7  27.0  49.8     50.4  48.0  87.9     77.2  90.8  164.0    130.1 126.0 208.9
/// ```
constexpr bool halves_long_messages(const call_key& now) {
    return now.uses_memory && now.ranks_of_node > 1 && now.bytes > 2 * copied_once;
}

/// Whether scans go through the memory of nodes: it is in the order of ranks if those of each node follow
/// each other.
constexpr bool scans_in_memory(const call_key& now) {
    if (!now.uses_memory) return false;
    return !now.crosses_nodes() || (!now.is_interleaved && now.ranks_of_node > 1 && now.least_of_node != 1);
}

/// For a blocking call.
constexpr plan choose(const call_key& now) {
    // node_aggregated does the same among nodes.
    if (now.has_long_block() && now.crosses_nodes() && (now.ranks_of_node == 1 || !now.uses_memory))
        return plan_of<circulant<16384>>;
    if (!now.has_levels()) return now.crosses_nodes() ? plan{} : choose_in_node(now);
    if (const auto chosen = choose_oversubscribed(now)) return *chosen;
    switch (now.what) {
    case verb::gatherv:
    case verb::scatterv:
        return {algorithm::tree, tree_plan_of<unknown_blocks_policy>};
    case verb::all_to_allv:
        return now.ranks_of_node > 1 ? plan_of<node_aggregated<4, 1024>> : plan_of<pairwise>;
    case verb::gather:
    case verb::scatter:
        if (takes_memory_of_nodes(now))
            return now.crosses_nodes() ? plan_of<shared> : plan_of<shared_by_numa_node>;
        if (has_few_senders(now)) return {algorithm::tree, tree_plan_of<few_senders_policy>};
        break;
    case verb::scan:
    case verb::exclusive_scan:
        return scans_in_memory(now) ? plan_of<shared> : plan{algorithm::tree, choose_tree(now)};
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
        if (!now.is_commutative) return {algorithm::tree, choose_tree(now)};
        break;
    case verb::reduce_scatter: {
        if (!now.is_commutative) return {algorithm::tree, choose_tree(now)};
        if (halves_long_messages(now)) return plan_of<k_ary_recursive_halving<3>>;
        // There are as many lanes as ranks in the smallest node.
        const plan& best = best_plan(now, now.what);
        return best.uses == algorithm::lanes && now.is_uneven() ? plan_of<k_ary_recursive_halving<8>> : best;
    }
    case verb::all_gather:
    case verb::all_gatherv:
        if (now.crosses_nodes() && now.uses_memory && now.ranks_of_node > 1)
            return plan_of<node_aggregated<>>;
        if (now.what == verb::all_gather && takes_memory_of_numa_nodes(now))
            return plan_of<shared_by_numa_node>;
        if (overlaps_numa_nodes(now)) return plan_of<neighbour_exchange>;
        return best_plan(now, verb::all_gather);
    default:
        break;
    }
    return best_plan(now, now.what);
}

/// For a non-blocking call, which must not wait for the ranks' places: exchanges need them, and trees that
/// follow nodes, unless they are known.
constexpr plan choose_in_background(const call_key& now) {
    if (!now.has_levels()) return {};
    switch (now.what) {
    case verb::all_to_all:
    case verb::gather: // the root's ranks below it would have to be known, too
    case verb::gatherv:
    case verb::scatter:
    case verb::scatterv:
    case verb::all_to_allv:
        return {};
    case verb::all_gather:
    case verb::all_gatherv:
        if (now.has_long_block() && now.crosses_nodes()) return plan_of<circulant<16384>>;
        if (now.bytes >= 32768) return {algorithm::ring};
        break;
    default:
        break;
    }
    const tree_plan tree = choose_tree(now);
    const bool must_ask = now.form == call_form::at_once && tree.needs_nodes();
    return {algorithm::tree, must_ask ? best_plan_in_order(now).tree : tree};
}

} // namespace detail
} // namespace topo
