// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm through the shared memory of a node.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>

namespace topo {

namespace detail {

/// A message as plain bytes: in place, or a private copy.
std::byte* bytes_to_show(shared_room& room, const message& what, const type_layout& layout);

void shared_broadcast(shared_room& room, copies copying, const message& what, int root);

/// From how many ranks' cache lines a rank collects signals. In a star the root reads the lines of all ranks,
/// one after the other; in a tree a rank reads four on each level, so the arrival of 64 ranks takes 12 lines
/// instead of 63.
int shared_fan(const shared_room& room);

/// Rank 0 returns after all ranks have arrived. The others return at once.
void shared_arrival(shared_room& room);

/// All ranks return after rank 0 has arrived.
void shared_release(shared_room& room);

/// No rank returns before all have arrived: few ranks read the signals of all ranks, many use a tree.
void shared_barrier(shared_room& room);

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
        auto& room = here.attached<detail::shared_room>();
        if (!room.works()) return mpi_calls::broadcast(here, what, root);
        detail::shared_broadcast(room, Copies, what, root);
    }
    /// All members' operands combined in the root's `sum`.
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root) {
        reduce(here, sum.data, sum, op, root);
    }
    /// The same with the operand in another buffer.
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root) {
        auto& room = here.attached<detail::shared_room>();
        if (!room.works() || !detail::shared_combine::takes(detail::type_layout{result.type}))
            return mpi_calls::reduce(here, input, result, op, root);
        detail::shared_combine{room, input, result, op, root}.run();
    }
    /// All members' operands combined in every `sum`.
    static void all_reduce(level_members& here, const message& sum, MPI_Op op) {
        all_reduce(here, sum.data, sum, op);
    }
    /// The same with the operand in another buffer.
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op) {
        auto& room = here.attached<detail::shared_room>();
        if (!room.works() || !detail::shared_combine::takes(detail::type_layout{result.type}))
            return mpi_calls::all_reduce(here, input, result, op);
        detail::shared_combine{room, input, result, op, detail::shared_combine::everybody}.run();
    }
    /// No member returns before all have called.
    static void barrier(level_members& here) {
        auto& room = here.attached<detail::shared_room>();
        if (!room.works()) return mpi_calls::barrier(here);
        step(room, &detail::shared_barrier);
    }
    /// After it member 0 knows that all have called; see `waits_in_halves_in_level`.
    static void arrive(level_members& here) {
        auto& room = here.attached<detail::shared_room>();
        if (!room.works()) return mpi_calls::barrier(here);
        step(room, &detail::shared_arrival);
    }
    /// After it all members know that member 0 has called.
    static void release(level_members& here) {
        auto& room = here.attached<detail::shared_room>();
        if (!room.works()) return mpi_calls::barrier(here);
        step(room, &detail::shared_release);
    }

private:
    static void step(detail::shared_room& room, void (*what)(detail::shared_room&)) {
        room.begin();
        what(room);
        room.end();
    }
};

/// The usual one.
struct shared : shared_by<copies::fastest> {};

template <>
inline constexpr std::string_view detail::level_algorithm_name<shared> = "shared";

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/shared.ipp>
#endif
