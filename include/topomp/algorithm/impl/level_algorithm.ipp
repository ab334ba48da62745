// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo {

TOPOMP_INLINE void mpi_calls::broadcast(level_members& here, const message& what, int root) {
    detail::flat_broadcast(here.running(), here, what, root);
}

TOPOMP_INLINE void mpi_calls::reduce(level_members& here, const message& sum, MPI_Op op, int root) {
    reduce(here, sum.data, sum, op, root);
}

TOPOMP_INLINE void mpi_calls::reduce(level_members& here, const void* input, const message& result, MPI_Op op,
                                     int root) {
    auto& memory = here.attached<detail::scratch_buffer>();
    detail::flat_reduce(here.running(), memory, here, input, result, op, root);
}

TOPOMP_INLINE void mpi_calls::all_reduce(level_members& here, const message& sum, MPI_Op op) {
    all_reduce(here, sum.data, sum, op);
}

TOPOMP_INLINE void mpi_calls::all_reduce(level_members& here, const void* input, const message& result,
                                         MPI_Op op) {
    detail::flat_all_reduce(here.running(), here, input, result, op);
}

TOPOMP_INLINE void mpi_calls::barrier(level_members& here) { detail::flat_barrier(here.running(), here); }

} // namespace topo
