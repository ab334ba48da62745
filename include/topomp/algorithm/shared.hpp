// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm through the shared memory of a node.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <string_view>

namespace topo {

namespace detail {

/// The functions of `shared_by`, in the room of a level.
struct shared_calls {
    static void broadcast(level_members& here, copies copying, const message& what, int root);
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root);
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op);
    static void barrier(level_members& here);
    static void arrive(level_members& here);
    static void release(level_members& here);
};

} // namespace detail

/// Through the shared memory of a node: short messages beside the signal that announces them, longer ones
/// through chunks, long ones by a single copy out of the other process's memory if the kernel allows it. For
/// levels inside a node, as in `hierarchical<within<kind::machine, shared>, otherwise<mpi_calls>>`; where the
/// ranks of a level run on several hosts, the MPI's own collectives.
///
/// Its memory, 260 KiB for each rank, is taken at the first call in a level: from the hierarchy's arena for
/// all ranks of a node, else from an arena of its own.
/// @tparam Copies of long messages that are not combined
/// @see design decision 7
template <copies Copies>
struct shared_by {
    static constexpr bool uses_node_memory = true; ///< asks for the memory of the hierarchy's arena

    /// The root's message to all members.
    static void broadcast(level_members& here, const message& what, int root) {
        detail::shared_calls::broadcast(here, Copies, what, root);
    }
    /// All members' operands combined in the root's `sum`.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        detail::shared_calls::reduce(here, sum.data, sum, op, root);
    }
    /// The same with the operand in another buffer.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        detail::shared_calls::reduce(here, input, result, op, root);
    }
    /// All members' operands combined in every `sum`.
    static void all_reduce(level_members& here, const message& sum, MPI_Op op) {
        detail::shared_calls::all_reduce(here, sum.data, sum, op);
    }
    /// The same with the operand in another buffer.
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op) {
        detail::shared_calls::all_reduce(here, input, result, op);
    }
    /// No member returns before all have called.
    static void barrier(level_members& here) { detail::shared_calls::barrier(here); }
    /// Member 0 does not return before all members have called; see `waits_in_halves_in_level`.
    static void arrive(level_members& here) { detail::shared_calls::arrive(here); }
    /// No member returns before member 0 has called.
    static void release(level_members& here) { detail::shared_calls::release(here); }
};

/// The usual one.
struct shared : shared_by<copies::fastest> {};

template <>
inline constexpr std::string_view detail::level_algorithm_name<shared> = "shared";

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/shared.ipp>
#endif
