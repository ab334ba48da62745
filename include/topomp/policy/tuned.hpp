// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses, in one place.
///
/// Provenance: a prototype in simulation (10 nodes of 24 ranks, messages charged 0.3 us at each end) that
/// compared hand-composed trees with the rules of four MPIs: 4-nomial between nodes and 4-ary inside them won
/// for short messages, chains or 3-ary trees between nodes and binary trees inside, in segments of 4 to 64
/// KiB, for long ones. On a single node the MPI's own collectives use its shared memory and are left alone.
#pragma once

#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/policy.hpp>

#include <cstddef>

namespace topo {

/// Chooses among the policies below by verb, machine and bytes.
struct automatic {};

namespace detail {

enum class verb { barrier, broadcast, reduce, all_reduce };

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

/// The plan for a situation; null: the MPI's own collective on the whole communicator.
constexpr const tree_plan* choose(const situation& now) {
    constexpr std::size_t long_from = 32768;
    const bool crosses_nodes = now.joins_all == kind::cluster || now.joins_all == kind::network_switch;
    if (!crosses_nodes || now.max_depth == 0) return nullptr;
    if (now.bytes < long_from)
        return now.is_commutative ? &tree_plan_of<short_policy> : &tree_plan_of<short_ordered_policy>;
    return now.is_commutative ? &tree_plan_of<long_policy> : &tree_plan_of<long_ordered_policy>;
}

} // namespace detail
} // namespace topo
