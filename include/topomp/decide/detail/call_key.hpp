// SPDX-License-Identifier: BSL-1.0
/// @file
/// The key of a call, from which a plan is chosen at run time.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether ranks of a node always move data through its memory. In simulations they do where it is charged
/// (`moves_in_simulated_memory`).
#ifdef SMPI_H
inline constexpr bool moves_in_memory = false;
#else
inline constexpr bool moves_in_memory = true;
#endif

/// The key of a call: the same on all ranks.
struct call_key {
    verb what{};
    kind joins_all{}; ///< the object that joins all ranks: a machine, a switch, nothing known
    int max_depth = 0;
    std::size_t bytes = 0; ///< of the message; of one block, the mean of unequal ones; of all blocks that are
                           ///< reduced and scattered
    bool is_commutative = true;
    int ranks = 1;
    /// Whether messages inside a node may go through its shared memory.
    bool uses_memory = moves_in_memory;
    bool is_oversubscribed = false; ///< whether some of several nodes are oversubscribed
    int ranks_of_node = 1;          ///< the most of any

    constexpr bool crosses_nodes() const { return joins_nodes(joins_all); }
    /// The number of nodes, if each had as many ranks.
    constexpr int nodes() const { return (ranks + ranks_of_node - 1) / ranks_of_node; }
    /// Whether there are levels that the MPI's own collectives might ignore.
    constexpr bool has_levels() const {
        return crosses_nodes() ? max_depth > 0 : joins_all == kind::machine && max_depth > 1;
    }
};

} // namespace topo::detail
