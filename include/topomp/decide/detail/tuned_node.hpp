// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plans of `automatic` through the shared memory of nodes.
///
/// Provenance: Open MPI 4.1.4 and MPICH 4.0.2 on 2 and 4 ranks of a virtual machine with two cores, and
/// both on 4 made-up hosts of 4 ranks of the same machine (scripts/cluster, links of 1 Gbit/s), 2026-11-22.
/// Not in the simulator: the collectives of the MPIs that it stands for use no shared memory there.
#pragma once

#include <topomp/algorithm/circulant_in_level.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace topo::detail {

/// Among all ranks of a node at once, through shared memory.
inline constexpr std::array through_memory{
    loop_rule{kind::cluster, true, true, any_level_algorithm::of<shared>()}};

/// Inside one node without levels that the MPI's own collectives might ignore.
constexpr plan choose_in_node(const call_key& now) {
    if (!now.uses_memory) return {};
    switch (now.what) {
    case verb::barrier:
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
        return {algorithm::hierarchical, {}, {through_memory}};
    case verb::gather:
    case verb::scatter:
    case verb::all_gather:
    case verb::all_gatherv:
    case verb::all_to_all:
    case verb::all_to_allv:
    case verb::reduce_scatter:
        return {algorithm::shared};
    default:
        break;
    }
    return {};
}

/// In each node through shared memory; between one rank of each node direct short messages for few nodes,
/// else the MPI's own collectives.
inline constexpr std::array memory_of_nodes{
    loop_rule{kind::machine, false, true, any_level_algorithm::of<shared>()},
    loop_rule{kind::cluster, true, false, any_level_algorithm::of<direct_messages>()}};

inline constexpr std::size_t piece_of_chain = 32768;

/// From node to node in pieces, while each node distributes them to its ranks or combines theirs.
using chain_of_nodes =
    segmented<piece_of_chain,
              per_level<on<kind::cluster, chain>, on<kind::network_switch, chain>, otherwise<linear>>>;

/// The same with pieces in rounds between nodes, and through the memory of each node.
inline constexpr std::array pieces_between_nodes{
    loop_rule{kind::machine, false, true, any_level_algorithm::of<shared>()},
    loop_rule{kind::cluster, true, false, any_level_algorithm::of<circulant_in_level<piece_of_chain>>()}};

/// MPICH (4.0.2) needs more time for a piece on TCP. A broadcast of 128 KiB, 512 KiB and 2 MiB among four
/// hosts of four ranks, links of 1 Gbit/s, milliseconds along the chain, with pieces between nodes, and with
/// its own broadcast between them: 3.5, 8.3, 21 to 27; 1.2, 4.2, 20.4; 0.65, 7.7, 37. Open MPI's:
/// 0.8, 2.9, 16.2; 0.5, 3.2, 21.3; 1.6, 11.8, 49 (2026-11-26).
#ifdef MPICH_VERSION
inline constexpr bool pieces_are_fast = false;
#else
inline constexpr bool pieces_are_fast = true;
#endif

/// Whether long messages use the chain on oversubscribed nodes: only if the pieces under way are few compared
/// with the message, and with few ranks in each node.
constexpr bool goes_along_nodes(const call_key& now) {
    constexpr int most_ranks_of_node = 8;
    if (!pieces_are_fast || !now.is_oversubscribed || !now.is_commutative ||
        now.ranks_of_node > most_ranks_of_node)
        return false;
    const std::size_t piece_each = static_cast<std::size_t>(now.nodes()) * piece_of_chain;
    switch (now.what) {
    case verb::broadcast:
        return now.bytes >= piece_each;
    case verb::reduce:
        return now.bytes >= 2 * piece_each;
    case verb::all_reduce: // slices are faster for long
        return now.bytes >= 16 * piece_each;
    default:
        return false;
    }
}

/// Whether broadcasts on oversubscribed nodes go in pieces between nodes: long ones, where that chain is
/// slow.
constexpr bool goes_in_pieces(const call_key& now) {
    return !pieces_are_fast && now.what == verb::broadcast &&
           now.bytes >= 4 * static_cast<std::size_t>(now.nodes()) * piece_of_chain;
}

/// Among several nodes of which some are oversubscribed. Nothing: as if they were not.
constexpr std::optional<plan> choose_oversubscribed(const call_key& now) {
    constexpr std::size_t kib = 1024;
    const std::size_t all_bytes = now.bytes * static_cast<std::size_t>(now.ranks);
    if (!now.crosses_nodes() || !now.is_oversubscribed) return {};
    if (goes_along_nodes(now)) return plan{algorithm::tree, tree_plan_of<chain_of_nodes>};
    if (goes_in_pieces(now)) return plan{algorithm::hierarchical, {}, {pieces_between_nodes}};
    switch (now.what) {
    case verb::barrier:
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
        return plan{algorithm::hierarchical, {}, {memory_of_nodes}};
    // Rounds are fast only if all ranks take part without delay. On oversubscribed nodes ranks are late.
    case verb::all_gather:
        if (all_bytes > 1024 * kib) return plan{algorithm::ring};
        if (now.uses_memory) return plan{algorithm::shared};
        [[fallthrough]];
    case verb::all_gatherv:
        return plan{algorithm::lanes, tree_plan_of<lanes<linear, linear>>};
    case verb::all_to_all:
    case verb::all_to_allv:
        if (now.what == verb::all_to_all && now.uses_memory && all_bytes <= 64 * kib)
            return plan{algorithm::shared};
        return plan{};
    case verb::gather:
        // 8 to 1024 bytes among four hosts of four ranks on two cores, microseconds along this tree, through
        // the memory of nodes and by the MPI: Open MPI 155 to 277, 267 to 344, 210 to 291; MPICH 220 to 361,
        // 314 to 466, 265 to 365.
        if (now.bytes * static_cast<std::size_t>(now.ranks_of_node) <= 4 * kib)
            return plan{algorithm::tree, tree_plan_of<two_levels<linear, linear>>};
        break;
    case verb::scatter:
        return now.uses_memory && all_bytes <= 256 * kib ? plan{algorithm::shared} : plan{};
    case verb::reduce_scatter: // their bytes are of all blocks
        if (now.uses_memory && now.bytes <= 128 * kib)
            return plan{algorithm::hierarchical, {}, {memory_of_nodes}};
        break;
    default:
        break;
    }
    return {};
}

/// Whether one rank of each of few nodes had better call the MPI's own collective than what is tuned for
/// many: the ranks among which hybrid verbs call the ordinary ones.
///
/// Between 4 made-up hosts, microseconds of the hybrid verb by the tuned table and by the MPI, 2026-11-22:
///
/// ```
///   broadcast, bytes             4 KiB    8 KiB    16 KiB   32 KiB   64 KiB     128 KiB
///   Open MPI                     113 130  103 103  171 101  218 106  310 271    471 1419
///   MPICH                        199 158  153 166  250 169  345 652  333 731    504 1052
///   all_reduce, bytes            8        512      1 KiB    4 KiB    16 KiB     64 KiB
///   Open MPI                     166 184  166 184  262 200  288 219  425 342    383 386
///   MPICH                        337 302  398 542           683 632  939 685    1037 1523
///   all_gather, bytes in all     128      2 KiB    16 KiB   64 KiB   256 KiB    1 MiB
///   Open MPI                     170 216  175 194  219 257  214 229  510 578    5576 7583
///   MPICH                        345 282  409 360  522 407  483 790  2105 1712  7850 13082
/// ```
constexpr bool is_for_mpi_between_few(const call_key& now) {
    constexpr int few = 8;
    if (is_simulated || !now.crosses_nodes() || now.ranks_of_node > 1 || now.ranks > few) return false;
    constexpr std::size_t kib = 1024;
#ifdef MPICH_VERSION
    if (now.what == verb::broadcast) return now.bytes >= 4 * kib && now.bytes <= 16 * kib;
    if (now.what == verb::all_gatherv) {
        const std::size_t bytes = now.bytes * static_cast<std::size_t>(now.ranks);
        return bytes <= 32 * kib || (bytes >= 128 * kib && bytes < 512 * kib);
    }
    constexpr std::size_t shortest_reduced = 0;
#else
    if (now.what == verb::broadcast) return now.bytes > 8 * kib && now.bytes <= 64 * kib;
    constexpr std::size_t shortest_reduced = kib;
#endif
    return now.what == verb::all_reduce && now.bytes >= shortest_reduced && now.bytes <= 32 * kib;
}

} // namespace topo::detail
