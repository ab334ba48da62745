// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a simulation charges for real nodes: receivers that copy, operations that combine, and memory that
/// all ranks of a node share. Nothing of topomp: programs in plain MPI are charged the same.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace topo_bench {

/// In bytes a second, but for `end`.
struct node_charges {
    double receive = 0; ///< a receiver copies a message out of the MPI's buffers
    double combine = 0; ///< an operation, in bytes of one operand
    double end = 0;     ///< seconds that each message costs its receiver besides

    /// Reads GB/s of a receiver, GB/s of an operation and microseconds of an end: `20:20:0.3`.
    static node_charges read(const std::string& text);
};

/// From here on, in a simulation: the node's charges. @return an operation that adds numbers of type `T`,
/// which takes its time @tparam T double or std::uint64_t @collective over `comm`, which is of all ranks
/// @throws std::runtime_error where nothing is simulated
template <class T>
MPI_Op charge_nodes(const node_charges& rates, MPI_Comm comm);

/// A program has combined so many bytes by itself: what it takes, if nodes are charged.
void charge_combining(std::size_t bytes);

/// In a simulation, where computing takes no time of itself: lets so much pass for the calling rank.
void pass_time(double seconds);

} // namespace topo_bench
