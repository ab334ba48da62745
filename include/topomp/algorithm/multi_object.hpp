// SPDX-License-Identifier: BSL-1.0
/// @file
/// Between nodes that have memory: several ranks of each send and receive at the same time.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>

#include <string_view>

namespace topo {

/// Between the nodes of `hierarchical<within<kind::machine, shared>, otherwise<multi_object>>`, every node
/// with every other in one step: each rank of a node sends to and receives from other nodes, and the ranks
/// hand each other what they have received through the node's memory. With one rank of each node a broadcast
/// to ten nodes takes nine starts of a message, or two messages one after the other; here it takes one
/// message. For short messages, and for no more nodes than a few times the ranks of one.
///
/// Where nodes have no memory, where the operation does not commute, and for a sum of more than 32 KiB it is
/// `mpi_calls` between one rank of each node.
/// @see J. Huang, K. Ouyang, Y. Zhai et al., 'Accelerating MPI collectives with Process-in-Process-based
/// multi-object techniques' (HPDC 2023)
struct multi_object : mpi_calls {
    static constexpr bool is_multi_object = true; ///< not one rank of each node alone takes part
};

template <>
inline constexpr std::string_view detail::level_algorithm_name<multi_object> = "multi_object";

} // namespace topo
