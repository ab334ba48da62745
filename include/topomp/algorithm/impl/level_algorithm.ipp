// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo {

TOPOMP_INLINE void mpi_calls::broadcast(level_members& here, const message& what, int root) {
    const detail::in_flight::apart now{here.running()};
    detail::flat_broadcast(here, what, root);
}

TOPOMP_INLINE void mpi_calls::reduce(level_members& here, const message& sum, MPI_Op op, int root) {
    reduce(here, sum.data, sum, op, root);
}

TOPOMP_INLINE void mpi_calls::reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                                     int root) {
    auto& memory = here.attached<detail::scratch_buffer>();
    const detail::in_flight::apart now{here.running()};
    detail::flat_reduce(memory, here, input, result, op, root);
}

TOPOMP_INLINE void mpi_calls::all_reduce(level_members& here, const message& sum, MPI_Op op) {
    all_reduce(here, sum.data, sum, op);
}

TOPOMP_INLINE void mpi_calls::all_reduce(level_members& here, const void* input, const message& result,
                                         MPI_Op op) {
    const detail::in_flight::apart now{here.running()};
    detail::flat_all_reduce(here, input, result, op);
}

TOPOMP_INLINE void mpi_calls::barrier(level_members& here) {
    const detail::in_flight::apart now{here.running()};
    detail::flat_barrier(here);
}

} // namespace topo
