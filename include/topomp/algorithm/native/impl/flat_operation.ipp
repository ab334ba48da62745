// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void flat_operation::start_barrier(MPI_Comm comm) {
    slots_.clear();
    mpi::check(MPI_Ibarrier(comm, next()), "MPI_Ibarrier", "barrier");
}

TOPOMP_INLINE void flat_operation::start_broadcast(MPI_Comm comm, const message& what, int root) {
    const type_layout layout{what.type};
    slots_.clear();
    in_countable_pieces(what, [&](std::size_t first, int count) {
        mpi::check(MPI_Ibcast(layout.element(what.data, first), count, what.type, root, comm, next()),
                   "MPI_Ibcast", "broadcast");
    });
}

TOPOMP_INLINE void flat_operation::start_reduce(const boost::mpi::communicator& comm, const void* input,
                                                const message& result, MPI_Op op, int root) {
    const type_layout layout{result.type};
    const bool is_root = comm.rank() == root;
    const bool in_place = is_root && input == result.data && reduces_in_place(root);
    if (is_root && input == result.data && !in_place) input = copy(input, result, layout);
    slots_.clear();
    in_countable_pieces(result, [&](std::size_t first, int count) {
        mpi::check(MPI_Ireduce(in_place ? MPI_IN_PLACE : layout.element(input, first),
                               is_root ? layout.element(result.data, first) : nullptr, count, result.type, op,
                               root, comm, next()),
                   "MPI_Ireduce", "reduce");
    });
}

TOPOMP_INLINE void flat_operation::start_all_reduce(MPI_Comm comm, const void* input, const message& result,
                                                    MPI_Op op) {
    const type_layout layout{result.type};
    slots_.clear();
    in_countable_pieces(result, [&](std::size_t first, int count) {
        mpi::check(MPI_Iallreduce(input == result.data ? MPI_IN_PLACE : layout.element(input, first),
                                  layout.element(result.data, first), count, result.type, op, comm, next()),
                   "MPI_Iallreduce", "all_reduce");
    });
}

TOPOMP_INLINE void flat_operation::start_all_gather(MPI_Comm comm, const blocks& result) {
    slots_.clear();
    mpi::check(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result.data, static_cast<int>(result.count),
                              result.type, comm, next()),
               "MPI_Iallgather", "all_gather");
}

TOPOMP_INLINE void flat_operation::start_all_to_all(MPI_Comm comm, const blocks& source,
                                                    const blocks& result) {
    slots_.clear();
    mpi::check(MPI_Ialltoall(source.data, static_cast<int>(source.count), source.type, result.data,
                             static_cast<int>(result.count), result.type, comm, next()),
               "MPI_Ialltoall", "all_to_all");
}

TOPOMP_INLINE const void* flat_operation::copy(const void* input, const message& like,
                                               const type_layout& layout) {
    copy_.reserve(layout.span(like.count));
    void* const to = copy_.data() - layout.true_lower;
    in_countable_pieces(like, [&](std::size_t first, int count) {
        copy_elements(layout.element(input, first), layout.element(to, first), count, like.type);
    });
    return to;
}

} // namespace topo::detail
