// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses, in one place.
///
/// Provenance: a prototype in simulation (10 nodes of 24 ranks, messages charged 0.3 us at each end) that
/// compared hand-composed trees with the rules of four MPIs: 4-nomial between nodes and 4-ary inside them won
/// for short messages, chains or 3-ary trees between nodes and binary trees inside, in segments of 4 to 64
/// KiB, for long ones. On a single node the MPI's own collectives use its shared memory and are left alone.
///
/// Gathers and scatters: not measured. The root's link carries every block whatever the tree, so a tree only
/// saves messages, which counts where blocks are short; long ones go straight. Where only the root knows how
/// long blocks are, one step over the network and one inside the node.
///
/// Reduce-scatter: not measured. Halving takes the fewest steps; a ring moves as many bytes, between
/// neighbours only.
#pragma once

#include <topomp/algorithm/level_loop.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/policy.hpp>

#include <cstddef>

namespace topo {

namespace detail {

/// What a choice depends on: the same on all ranks.
struct situation {
    verb what{};
    kind joins_all{}; ///< what joins all ranks: a machine, a switch, nothing known
    int max_depth = 0;
    std::size_t bytes = 0;
    bool is_commutative = true;
};

using short_policy =
    per_level<on<kind::cluster, k_nomial<4>>, on<kind::network_switch, k_nomial<4>>, otherwise<k_ary<4>>>;
using long_policy =
    segmented<32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<binary>>>;
using short_ordered_policy = per_level<on<kind::cluster, k_nomial<4>>, on<kind::network_switch, k_nomial<4>>,
                                       otherwise<in_order_binary>>;
using long_ordered_policy = segmented<
    32768, per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<in_order_binary>>>;
using unknown_blocks_policy = linear;

/// A choice, with its types forgotten.
struct selection {
    way how = way::flat;
    tree_plan plan{};       ///< if it is a tree
    loop_plan loop{};       ///< if it is a loop over levels
    tree_plan other_half{}; ///< if halves of the message go different ways
};

constexpr bool has_blocks_of_equal_length(verb what) { return what == verb::gather || what == verb::scatter; }
constexpr bool has_blocks_of_own_length(verb what) { return what == verb::gatherv || what == verb::scatterv; }
constexpr bool is_all_gather(verb what) { return what == verb::all_gather || what == verb::all_gatherv; }

/// What `automatic` does in a situation.
constexpr selection choose(const situation& now) {
    constexpr std::size_t long_from = 32768;
    constexpr std::size_t long_block_from = 4096;
    constexpr std::size_t ring_from = std::size_t{1} << 20;
    const bool crosses_nodes = now.joins_all == kind::cluster || now.joins_all == kind::network_switch;
    if (!crosses_nodes || now.max_depth == 0 || !serves(way::tree, now.what)) return {};
    if (has_blocks_of_own_length(now.what)) return {way::tree, tree_plan_of<unknown_blocks_policy>};
    if (has_blocks_of_equal_length(now.what) && now.bytes >= long_block_from) return {};
    const bool is_long = now.bytes >= long_from;
    if (is_long && is_all_gather(now.what)) return {way::ring, {}};
    if (now.what == verb::reduce_scatter && now.is_commutative)
        return {now.bytes >= ring_from ? way::ring : way::recursive_halving, {}};
    if (now.is_commutative)
        return {way::tree, is_long ? tree_plan_of<long_policy> : tree_plan_of<short_policy>};
    return {way::tree, is_long ? tree_plan_of<long_ordered_policy> : tree_plan_of<short_ordered_policy>};
}

} // namespace detail
} // namespace topo
