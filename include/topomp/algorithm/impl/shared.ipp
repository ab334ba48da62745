// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared/shared_steps.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE void shared_calls::broadcast(level_members& here, copies copying, const message& what,
                                           int root) {
    auto& room = here.attached<shared_room>();
    if (!room.works()) return mpi_calls::broadcast(here, what, root);
    shared_broadcast(room, copying, what, root);
}

TOPOMP_INLINE void shared_calls::reduce(level_members& here, const void* input, const message& result,
                                        MPI_Op op, int root) {
    auto& room = here.attached<shared_room>();
    if (!room.works() || !shared_combine::takes(type_layout{result.type}))
        return mpi_calls::reduce(here, input, result, op, root);
    shared_combine{room, input, result, op, root}.run();
    if (room.rank() != root) room.has_given();
}

TOPOMP_INLINE void shared_calls::all_reduce(level_members& here, const void* input, const message& result,
                                            MPI_Op op) {
    auto& room = here.attached<shared_room>();
    if (!room.works() || !shared_combine::takes(type_layout{result.type}))
        return mpi_calls::all_reduce(here, input, result, op);
    shared_combine{room, input, result, op, shared_combine::all_ranks}.run();
}

/// Runs a step of synchronisation as a call of its own.
TOPOMP_INLINE void run_step(level_members& here, void (*what)(shared_room&)) {
    auto& room = here.attached<shared_room>();
    if (!room.works()) return mpi_calls::barrier(here);
    room.begin();
    what(room);
    room.end();
}

TOPOMP_INLINE void shared_calls::barrier(level_members& here) { run_step(here, &shared_barrier); }

TOPOMP_INLINE void shared_calls::arrive(level_members& here) { run_step(here, &shared_arrival); }

TOPOMP_INLINE void shared_calls::release(level_members& here) { run_step(here, &shared_release); }

} // namespace topo::detail
