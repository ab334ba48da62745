// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a plan that is chosen at run time depends on.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// In a simulation the MPIs' own collectives use no shared memory, and ours beside them neither.
#ifdef SMPI_H
inline constexpr bool moves_in_memory = false;
#else
inline constexpr bool moves_in_memory = true;
#endif

/// What a choice depends on: the same on all ranks.
struct call_key {
    verb what{};
    kind joins_all{}; ///< what joins all ranks: a machine, a switch, nothing known
    int max_depth = 0;
    std::size_t bytes = 0; ///< of the message; of one block, the mean of unequal ones; of all blocks that are
                           ///< reduced and scattered
    bool is_commutative = true;
    int ranks = 1;
    /// Whether what ranks of a node tell each other may go through its memory.
    bool uses_memory = moves_in_memory;
    bool is_oversubscribed = false; ///< whether on some of several nodes there are more ranks than cores
    int ranks_of_node = 1;          ///< the most of any

    constexpr bool crosses_nodes() const { return joins_nodes(joins_all); }
    /// How many there are, if each had as many ranks.
    constexpr int nodes() const { return (ranks + ranks_of_node - 1) / ranks_of_node; }
    /// Whether there are levels that the MPI's own collectives might not know.
    constexpr bool has_levels() const {
        return crosses_nodes() ? max_depth > 0 : joins_all == kind::machine && max_depth > 1;
    }
};

} // namespace topo::detail
