// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses, in one place.
///
/// Provenance: SimGrid, benchmarks/platforms/ntw10e5.xml (10 nodes of 24 ranks) and smp20e7.xml (one machine
/// of 20 NUMA nodes of 8 ranks), benchmarks/policies.cpp, 2026-11-21; docs/benchmarks.md has the figures.
/// Of other platforms only smp12e5 was looked at, for lanes inside one machine. What goes through the memory
/// of nodes is chosen in tuned_node.hpp.
#pragma once

#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/situation.hpp>
#include <topomp/policy/tuned_node.hpp>

#include <cstddef>

namespace topo {

namespace detail {

/// `Outer` among the parts of the machine that is widest, `Inner` in these.
template <class Outer, class Inner>
using by_levels = per_level<on<kind::cluster, Outer>, on<kind::network_switch, Outer>, otherwise<Inner>>;
template <class Outer, class Inner>
using by_parts = per_level<on<kind::machine, Outer>, otherwise<Inner>>;

/// The same for a network and for a single machine.
template <class Outer, class Inner, std::size_t Segment = 0>
constexpr tree_plan tuned_tree(bool crosses_nodes) {
    if constexpr (Segment == 0)
        return crosses_nodes ? tree_plan_of<by_levels<Outer, Inner>> : tree_plan_of<by_parts<Outer, Inner>>;
    else
        return crosses_nodes ? tree_plan_of<segmented<Segment, by_levels<Outer, Inner>>>
                             : tree_plan_of<segmented<Segment, by_parts<Outer, Inner>>>;
}

using long_ordered_policy = segmented<8192, by_levels<in_order_binary, in_order_binary>>;
using unknown_blocks_policy = linear;
/// Each block straight from the root.
using straight_policy = placement_independent<linear>;

/// Trees for broadcast, reduce, and what is like them.
constexpr tree_plan choose_tree(const situation& now) {
    const bool crosses_nodes = now.crosses_nodes();
    constexpr std::size_t kib = 1024;
    if (now.bytes < 6 * kib) return tuned_tree<postal<6>, postal<3>>(crosses_nodes);
    if (now.bytes < 20 * kib) return tuned_tree<k_nomial<4>, linear>(crosses_nodes);
    if (!now.is_commutative) return tree_plan_of<long_ordered_policy>;
    // A chain is as deep as there are nodes, which only much data makes up for.
    if (now.bytes < 2 * kib * static_cast<std::size_t>(now.ranks))
        return tuned_tree<binary, binary, 8 * kib>(crosses_nodes);
    if (now.bytes < 8 * kib * static_cast<std::size_t>(now.ranks))
        return tuned_tree<chain, binary, 8 * kib>(crosses_nodes);
    return tuned_tree<chain, linear, 32 * kib>(crosses_nodes);
}

/// What `automatic` does in a situation.
constexpr selection choose(const situation& now) {
    if (!now.has_parts()) return now.crosses_nodes() ? selection{} : choose_in_node(now);
    if (const auto chosen = choose_through_nodes(now)) return *chosen;
    const bool crosses_nodes = now.crosses_nodes();
    const auto rounds = [](way how, int radix, std::size_t whole_bytes = 0) {
        return selection{how, {}, {}, {}, radix, whole_bytes};
    };
    const std::size_t lanes_from = crosses_nodes ? 128 : 512; // bytes of a rank's block
    const selection along_lanes{way::lanes, tree_plan_of<lanes<linear, linear>>};
    switch (now.what) {
    case verb::barrier:
        return rounds(way::recursive_doubling, 4);
    case verb::all_reduce:
        // Inside one machine trees are faster where there is much data.
        if (now.is_commutative && (crosses_nodes || now.bytes < 1024 * static_cast<std::size_t>(now.ranks)))
            return rounds(way::rabenseifner, now.bytes < 4096 ? 4 : 6, 512);
        break;
    case verb::gather:
        // Straight, the root would take in one message for each rank, behind the data.
        if (now.bytes >= 3072) return {way::tree, tree_plan_of<linear>};
        return {way::tree, tuned_tree<postal<5>, postal<3>>(crosses_nodes)};
    case verb::scatter:
        if (now.bytes >= 1024) return {way::tree, tree_plan_of<straight_policy>};
        return {way::tree, tuned_tree<postal<5>, postal<3>>(crosses_nodes)};
    case verb::gatherv:
    case verb::scatterv:
        return {way::tree, tree_plan_of<unknown_blocks_policy>};
    case verb::all_gatherv:
    case verb::all_gather:
        if (now.bytes >= lanes_from) return along_lanes;
        return rounds(way::recursive_doubling, 6);
    case verb::all_to_all:
        return now.bytes < 1024 ? rounds(way::recursive_doubling, 64) : selection{way::pairwise};
    case verb::all_to_allv:
        return {way::pairwise};
    case verb::reduce_scatter:
        if (!now.is_commutative) break;
        if (now.bytes >= lanes_from * static_cast<std::size_t>(now.ranks)) return along_lanes;
        return rounds(way::recursive_halving, 4);
    default:
        break;
    }
    return {way::tree, choose_tree(now)};
}

/// What it does in the background, where the first call must not wait until the ranks know who is near whom,
/// as exchanges do.
constexpr selection choose_in_background(const situation& now) {
    if (!now.has_parts() || now.what == verb::all_to_all) return {};
    if (now.what == verb::all_gather && now.bytes >= 32768) return {way::ring};
    return {way::tree, choose_tree(now)};
}

} // namespace detail
} // namespace topo
