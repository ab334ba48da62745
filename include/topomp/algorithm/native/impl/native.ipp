// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void flat_broadcast(in_flight& others, const boost::mpi::communicator& comm, message what,
                                  int root) {
    const in_flight::apart now{others};
    in_countable_pieces(what, [&](std::size_t first, int count) {
        mpi::bcast(element_at(what.data, first, what.type), count, what.type, root, comm, "broadcast");
    });
}

TOPOMP_INLINE void flat_reduce(in_flight& others, scratch_buffer& spare, const boost::mpi::communicator& comm,
                               const void* input, message result, MPI_Op op, int root) {
    const in_flight::apart now{others};
    const bool is_root = comm.rank() == root;
    in_countable_pieces(result, [&](std::size_t first, int count) {
        void* const to = is_root ? element_at(result.data, first, result.type) : nullptr;
        const void* from = element_at(input, first, result.type);
        if (from == to && reduces_in_place(root)) {
            from = MPI_IN_PLACE;
        } else if (from == to) {
            const type_layout layout{result.type};
            spare.reserve(layout.span(static_cast<std::size_t>(count)));
            void* const copy = spare.data() - layout.true_lower;
            copy_elements(from, copy, count, result.type);
            from = copy;
        }
        mpi::check(MPI_Reduce(from, to, count, result.type, op, root, comm), "MPI_Reduce", "reduce");
    });
}

TOPOMP_INLINE void flat_reduce(context& ranks, const void* input, const message& result, MPI_Op op,
                               int root) {
    struct spare {
        explicit spare(context&) {}
        scratch_buffer memory;
    };
    scratch_buffer& memory = ranks.attached<spare>().memory;
    flat_reduce(ranks.running(), memory, ranks.private_comm(), input, result, op, root);
}

TOPOMP_INLINE void flat_all_reduce(in_flight& others, const boost::mpi::communicator& comm, const void* input,
                                   message result, MPI_Op op) {
    if (!reduces_at_offset(result.type)) {
        scratch_buffer spare;
        flat_reduce(others, spare, comm, input, result, op, 0);
        return flat_broadcast(others, comm, result, 0);
    }
    const in_flight::apart now{others};
    in_countable_pieces(result, [&](std::size_t first, int count) {
        const void* const from = input == result.data ? MPI_IN_PLACE : element_at(input, first, result.type);
        void* const to = element_at(result.data, first, result.type);
        mpi::check(MPI_Allreduce(from, to, count, result.type, op, comm), "MPI_Allreduce", "all_reduce");
    });
}

TOPOMP_INLINE void flat_barrier(in_flight& others, const boost::mpi::communicator& comm) {
    const in_flight::apart now{others};
    mpi::check(MPI_Barrier(comm), "MPI_Barrier", "barrier");
}

} // namespace topo::detail
