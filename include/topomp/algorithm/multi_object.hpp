// SPDX-License-Identifier: BSL-1.0
/// @file
/// Between nodes that have memory: several ranks of each send and receive at the same time.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <string_view>

namespace topo {

namespace detail {

/// The functions of `multi_object`, see `multi_object_nodes`.
bool multi_object_barrier(context& ranks, const loop_plan& plan);
bool multi_object_broadcast(context& ranks, const loop_plan& plan, const message& what, int root);
bool multi_object_reduce(context& ranks, const loop_plan& plan, const void* input, const message& result,
                         MPI_Op op, int root);
bool multi_object_all_reduce(context& ranks, const loop_plan& plan, const void* input, const message& result,
                             MPI_Op op);

} // namespace detail

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
    /// Not one rank of each node alone takes part.
    static constexpr detail::calls_among_all among_all{
        &detail::multi_object_barrier, &detail::multi_object_broadcast, &detail::multi_object_reduce,
        &detail::multi_object_all_reduce};
};

template <>
inline constexpr std::string_view detail::level_algorithm_name<multi_object> = "multi_object";

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/multi_object_nodes.hpp>
#endif
