// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a choice of a policy at run time depends on, and what a choice is.
#pragma once

#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/detail/way.hpp>

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
    bool is_crowded = false; ///< whether on some of several nodes there are more ranks than cores
    int ranks_of_node = 1;   ///< the most of any

    constexpr bool crosses_nodes() const { return joins_nodes(joins_all); }
    /// How many there are, if each had as many ranks.
    constexpr int nodes() const { return (ranks + ranks_of_node - 1) / ranks_of_node; }
    /// Whether there are levels that the MPI's own collectives might not know.
    constexpr bool has_parts() const {
        return crosses_nodes() ? max_depth > 0 : joins_all == kind::machine && max_depth > 1;
    }
};

/// A choice, with its types forgotten.
struct selection {
    way how = way::flat;
    tree_plan plan{};            ///< if it is a tree
    loop_plan loop{};            ///< if it is a loop over levels
    tree_plan other_half{};      ///< if halves of the message go different ways
    int radix = 2;               ///< if ranks exchange in rounds: how many meet in one
    std::size_t whole_bytes = 0; ///< if they split what they add up: parts as short as this stay whole
};

} // namespace topo::detail
