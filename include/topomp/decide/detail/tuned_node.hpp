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
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree_in_level.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

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
    case verb::scan:
    case verb::exclusive_scan:
        return {algorithm::shared};
    default:
        break;
    }
    return {};
}

/// In each node through shared memory, between one rank of each node by `Between`.
template <class Between>
inline constexpr const plan& memory_of_nodes =
    plan_of<hierarchical<within<kind::machine, shared>, otherwise<Between>>>;

/// Direct short messages for few nodes, else the MPI's own collectives.
inline constexpr const plan& direct_between_nodes = memory_of_nodes<direct_messages>;
/// Pieces in rounds.
inline constexpr const plan& pieces_between_nodes = memory_of_nodes<circulant_in_level<16384, 8>>;
/// A message from each of up to four nodes to each other one.
inline constexpr const plan& each_node_to_each = memory_of_nodes<rounds_in_level<4>>;
/// A message between the root's node and each other one, of any length.
inline constexpr const plan& root_and_other_nodes = memory_of_nodes<tree_in_level<linear>>;

/// Whether each node exchanges a message with the root's in reductions of oversubscribed nodes. A rank that
/// passes a message on may have to wait for its core first: steps count, not what the root receives. Longer
/// messages are not sent eagerly, and the root's link may be slow. Microseconds so, in pieces, and by the
/// MPI's own collective between hosts of four ranks, two or three hosts on a core, 2026-11-28:
///
/// ```
///                          8 KiB                            16 KiB
///                          4 hosts        6 hosts           4 hosts        6 hosts
///   reduce
///     Open MPI, 1 Gbit/s   412  710  649  1124 1403    -    412  550  726  1100 1349    -
///     Open MPI, 100 Mbit/s 424  614  644   729  931    -    372  616  591     -    -    -
///     MPICH, 1 Gbit/s      440  464    -   531  572    -    423  405    -   502  660    -
///   all_reduce
///     Open MPI, 1 Gbit/s   910 1099 1270  1456    - 3179    953 1040 1286  1433    - 3149
///     Open MPI, 100 Mbit/s 534  616  813  1025 1599 2166    724  975  980     -    -    -
///     MPICH, 1 Gbit/s      616    -  788   797    - 1066    631    -  782   812    - 1084
/// ```
///
/// A reduce_scatter with blocks of 512 bytes takes 780 us so among four hosts, and 965 in pieces; on MPICH
/// 592 and 852; among six 1582 and 2738. An all_reduce of 1 KiB takes 844 us so among four hosts and 828 by
/// Open MPI's own, among six 1448 and 1832. Reductions of 32 KiB take 5.3 ms so among four hosts with 100
/// Mbit/s and 0.95 in pieces; on MPICH, which sends such a message when the receiver is ready, between two
/// hosts 336 us and 145 in pieces.
constexpr bool goes_between_root_and_nodes(const call_key& now) {
    constexpr std::size_t most_eager = 16384;
    constexpr int many_rounds_from = 5; // nodes: more than two rounds of an all_reduce
    if (!now.is_commutative || now.bytes > most_eager || now.nodes() > direct_messages::most_ranks)
        return false;
    const bool is_long = now.bytes > direct_messages::most_bytes;
    if (now.what == verb::reduce) return now.nodes() > 2 && (is_long || now.ranks_of_node == 1);
    if (now.what == verb::reduce_scatter) return now.nodes() > 2 && is_long && now.uses_memory;
    return now.what == verb::all_reduce && now.nodes() >= (is_long ? 3 : many_rounds_from);
}

/// Up to so many bytes of all blocks a reduce_scatter of oversubscribed nodes is a reduction and a scatter.
inline constexpr std::size_t most_reduced_and_scattered = std::size_t{128} << 10;

/// Whether long messages of oversubscribed nodes go in pieces between nodes. Among four hosts of four ranks
/// on two cores, links of 1 Gbit/s, milliseconds in pieces, by the MPI's own collective between nodes, and
/// along a chain of ranks in segments of 32 KiB, 2026-11-27:
///
/// ```
///                     64 KiB           128 KiB          512 KiB          2 MiB
///   broadcast
///     Open MPI        0.43 0.42 0.61   0.53 1.58 0.82   3.1  11.9  3.0   21.5   49   16
///     MPICH           0.81 0.70 2.69   1.09 0.81 3.43   3.7   7.8  9.7   22.7   37   39
///                     8 KiB            128 KiB          512 KiB          2 MiB
///   reduce
///     Open MPI        0.26 0.38 0.32   0.79 0.77 0.76   3.2   7.9  3.0   19.4   55   16
///     MPICH           0.34 0.66 0.36   2.03 2.95 6.09   8.1   7.3 20.3   30.9   50   71
///                     32 KiB           128 KiB          512 KiB          2 MiB
///   all_reduce
///     Open MPI        0.62 0.62 1.00   0.89 1.11 1.54   5.9   6.3  7.7   38.6   43   35
///     MPICH           0.86 0.71 4.22   1.68 1.57 9.21   7.7   7.1 25.3   45.6   47  101
/// ```
///
/// Reduce_scatters with blocks of 2 and 8 KiB take 1.1 and 1.6 ms in pieces there, and 1.4 and 2.1 by the
/// MPI's own between nodes; among six hosts, of 512 bytes and 4 KiB, 1.8 and 2.3, and 2.1 and 2.8.
constexpr bool goes_in_pieces(const call_key& now) {
    if (!now.is_commutative) return false;
    if (now.what == verb::reduce) return now.bytes > direct_messages::most_bytes;
    if (now.what == verb::reduce_scatter)
        return now.uses_memory && now.bytes > direct_messages::most_bytes &&
               now.bytes <= most_reduced_and_scattered;
    constexpr std::size_t of_each_node = 32768;
    return (now.what == verb::broadcast || now.what == verb::all_reduce) &&
           now.bytes >= of_each_node * static_cast<std::size_t>(now.nodes());
}

/// Among several nodes of which some are oversubscribed. Nothing: as if they were not.
constexpr std::optional<plan> choose_oversubscribed(const call_key& now) {
    constexpr std::size_t kib = 1024;
    const std::size_t all_bytes = now.bytes * static_cast<std::size_t>(now.ranks);
    if (!now.crosses_nodes() || !now.is_oversubscribed) return {};
    if (goes_between_root_and_nodes(now)) return root_and_other_nodes;
    // One rank of each node has the memory of its node combined already. All send at the same time: three
    // long messages of each at once took 51 ms for 1 MiB in four lanes among four hosts, pieces 14.5.
    if (now.ranks_of_node == 1 && (now.what != verb::all_reduce || !goes_in_pieces(now))) return {};
    if (goes_in_pieces(now)) return pieces_between_nodes;
    switch (now.what) {
    case verb::barrier:
        // Among three and four hosts so and by the MPI's own, microseconds: Open MPI 422 and 550, 452 and
        // 565; MPICH 325 and 346, 373 and 366.
        if (now.nodes() == 3 || now.nodes() == 4) return each_node_to_each;
        [[fallthrough]];
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
        return direct_between_nodes;
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
    case verb::scatter: {
        // Blocks of 16 KiB among two hosts of four take 241 us so, and 149 by Open MPI's own; of 8 KiB the
        // MPIs' own take 1.4 to 1.6 times as long as this, whatever the number of hosts.
        const std::size_t of_a_node = now.bytes * static_cast<std::size_t>(now.ranks_of_node);
        return now.uses_memory && of_a_node <= 32 * kib ? plan{algorithm::shared} : plan{};
    }
    case verb::reduce_scatter:
        if (now.uses_memory && now.bytes <= most_reduced_and_scattered) return direct_between_nodes;
        break;
    default:
        break;
    }
    return {};
}

} // namespace topo::detail
