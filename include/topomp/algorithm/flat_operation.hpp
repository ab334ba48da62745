// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own non-blocking collectives on the whole communicator.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>

namespace topo::detail {

/// One or more of the MPI's own collectives on their way.
class flat_operation final : public operation {
public:
    void start_barrier(MPI_Comm comm) {
        slots_.clear();
        mpi::check(MPI_Ibarrier(comm, next()), "MPI_Ibarrier", "barrier");
    }

    void start_broadcast(MPI_Comm comm, const message& what, int root) {
        const type_layout layout{what.type};
        slots_.clear();
        in_countable_pieces(what, [&](std::size_t first, int count) {
            mpi::check(MPI_Ibcast(layout.element(what.data, first), count, what.type, root, comm, next()),
                       "MPI_Ibcast", "broadcast");
        });
    }

    void start_reduce(const boost::mpi::communicator& comm, const void* input, const message& result,
                      MPI_Op op, int root) {
        const type_layout layout{result.type};
        const bool is_root = comm.rank() == root;
        const bool in_place = is_root && input == result.data && reduces_in_place(root);
        if (is_root && input == result.data && !in_place) input = copy(input, result, layout);
        slots_.clear();
        in_countable_pieces(result, [&](std::size_t first, int count) {
            mpi::check(MPI_Ireduce(in_place ? MPI_IN_PLACE : layout.element(input, first),
                                   is_root ? layout.element(result.data, first) : nullptr, count, result.type,
                                   op, root, comm, next()),
                       "MPI_Ireduce", "reduce");
        });
    }

    void start_all_reduce(MPI_Comm comm, const void* input, const message& result, MPI_Op op) {
        const type_layout layout{result.type};
        slots_.clear();
        in_countable_pieces(result, [&](std::size_t first, int count) {
            mpi::check(MPI_Iallreduce(input == result.data ? MPI_IN_PLACE : layout.element(input, first),
                                      layout.element(result.data, first), count, result.type, op, comm,
                                      next()),
                       "MPI_Iallreduce", "all_reduce");
        });
    }

    /// @pre `is_countable`, and the calling rank's block is in its place
    void start_all_gather(MPI_Comm comm, const blocks& result) {
        slots_.clear();
        mpi::check(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result.data,
                                  static_cast<int>(result.count), result.type, comm, next()),
                   "MPI_Iallgather", "all_gather");
    }

    /// @pre `is_countable`
    void start_all_to_all(MPI_Comm comm, const blocks& source, const blocks& result) {
        slots_.clear();
        mpi::check(MPI_Ialltoall(source.data, static_cast<int>(source.count), source.type, result.data,
                                 static_cast<int>(result.count), result.type, comm, next()),
                   "MPI_Ialltoall", "all_to_all");
    }

private:
    MPI_Request* next() { return &slots_.emplace_back(MPI_REQUEST_NULL); }

    /// A copy of the operands, for an MPI that cannot reduce them in place.
    const void* copy(const void* input, const message& like, const type_layout& layout) {
        copy_.reserve(layout.span(like.count));
        void* const to = copy_.data() - layout.true_lower;
        in_countable_pieces(like, [&](std::size_t first, int count) {
            copy_elements(layout.element(input, first), layout.element(to, first), count, like.type);
        });
        return to;
    }

    bool advance() override { return are_free(slots_, 0); }

    cell copy_;
};

} // namespace topo::detail
