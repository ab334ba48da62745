// SPDX-License-Identifier: BSL-1.0
/// @file
/// The key of a call, from which a plan is chosen at run time.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <array>
#include <cstddef>

namespace topo::detail {

/// How a call goes on. It says which plans serve it.
enum class call_form : unsigned char {
    blocking,
    at_once, ///< non-blocking: it may ask no rank for its place
    /// The same where all ranks know which rank has which place, and which are in which node.
    at_once_with_places,
    prepared_with_posts, ///< persistent: all ranks meet when it is made, and its start may be a signal in
                         ///< memory
    prepared,            ///< the same in messages
    prepared_among_first ///< the same for a part of a persistent call, among one rank of each node
};

constexpr bool is_at_once(call_form one) {
    return one == call_form::at_once || one == call_form::at_once_with_places;
}
constexpr bool is_prepared(call_form one) { return one != call_form::blocking && !is_at_once(one); }

/// The key of a call: all that `decide` looks at, the same on all ranks.
struct call_key {
    verb what{};
    kind joins_all{}; ///< the object that joins all ranks: a machine, a switch, nothing known
    int max_depth = 0;
    std::size_t bytes = 0; ///< of the message; of one block, the mean of unequal ones; of all blocks that are
                           ///< reduced and scattered
    bool is_commutative = true; ///< the operation; of all_gatherv: no block is much longer than the others
    int ranks = 1;
    /// Whether messages inside a node may go through its shared memory.
    bool uses_memory = true;
    bool is_oversubscribed = false; ///< whether some of several nodes are oversubscribed
    int ranks_of_node = 1;          ///< the most of any
    int least_of_node = 0;          ///< the fewest of any; 0: not known
    int node_count = 0;             ///< 0: not known
    int levels_above = 0;           ///< levels of switches between all ranks and nodes
    bool is_interleaved = false;    ///< whether the ranks of some node are not neighbours
    call_form form = call_form::blocking;

    /// How many parts each level inside nodes has of one above it, outermost first: packages of a node, NUMA
    /// nodes of a package; 0 behind the last level
    std::array<int, 4> parts{};
    /// How many of these levels lead to the NUMA nodes of the one machine that has all ranks; 0: it has one,
    /// or there are several machines
    int numa_levels = 0;

    constexpr bool crosses_nodes() const { return joins_nodes(joins_all); }
    /// The number of nodes; if it is not known, what it is if each has as many ranks.
    constexpr int nodes() const {
        return node_count > 0 ? node_count : (ranks + ranks_of_node - 1) / ranks_of_node;
    }
    /// NUMA nodes of the one machine that has all ranks; 1: the levels have none, or there are several
    /// machines
    constexpr int numa_nodes() const {
        int made = 1;
        for (int level = 0; level < numa_levels; ++level)
            made *= parts[static_cast<std::size_t>(level)];
        return made;
    }
    /// Whether there are several NUMA nodes of several ranks.
    constexpr bool has_numa_nodes() const { return numa_nodes() > 1 && ranks > numa_nodes(); }
    /// Whether one block is much longer than the others.
    constexpr bool has_long_block() const { return what == verb::all_gatherv && !is_commutative; }
    /// Whether nodes are known to differ in their number of ranks.
    constexpr bool is_uneven() const { return least_of_node > 0 && least_of_node != ranks_of_node; }
    /// Levels inside nodes.
    constexpr int levels_below() const { return max_depth > levels_above ? max_depth - levels_above - 1 : 0; }
    /// Whether there are levels that the MPI's own collectives might ignore.
    constexpr bool has_levels() const {
        return crosses_nodes() ? max_depth > 0 : joins_all == kind::machine && max_depth > 1;
    }

    friend constexpr bool operator==(const call_key&, const call_key&) = default;
};

} // namespace topo::detail
