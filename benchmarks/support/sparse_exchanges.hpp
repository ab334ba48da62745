// SPDX-License-Identifier: BSL-1.0
/// @file
/// How programs exchange data of which receivers do not know the senders, without topomp.
#pragma once

#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace topo_bench {

using values_of_ranks = std::map<int, std::vector<std::uint64_t>>;

/// All ranks exchange how much each has for each, then what there is: PETSc's `MPI_Alltoall` of lengths.
inline values_of_ranks exchange_by_counts(MPI_Comm comm, const values_of_ranks& sent) {
    const auto ranks = static_cast<std::size_t>(topo::mpi::comm_size(comm));
    std::vector<int> to(ranks), from(ranks);
    for (const auto& [rank, values] : sent)
        to[static_cast<std::size_t>(rank)] = static_cast<int>(values.size());
    MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, comm);
    values_of_ranks received;
    std::vector<MPI_Request> requests;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (from[rank] > 0) {
            auto& values = received[static_cast<int>(rank)];
            values.resize(static_cast<std::size_t>(from[rank]));
            MPI_Irecv(values.data(), from[rank], MPI_UINT64_T, static_cast<int>(rank), 0, comm,
                      &requests.emplace_back());
        }
    for (const auto& [rank, values] : sent)
        MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_UINT64_T, rank, 0, comm,
                  &requests.emplace_back());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return received;
}

/// NBX of Hoefler, Siebert and Lumsdaine (2010): a rank whose messages have all been received enters a
/// barrier that does not block, and receives until all ranks are in it.
/// @pre no rank is in another such exchange, whose messages would have the same tag
inline values_of_ranks exchange_by_nbx(MPI_Comm comm, const values_of_ranks& sent) {
    constexpr int tag = 1;
    std::vector<MPI_Request> requests;
    for (const auto& [rank, values] : sent)
        MPI_Issend(values.data(), static_cast<int>(values.size()), MPI_UINT64_T, rank, tag, comm,
                   &requests.emplace_back());
    values_of_ranks received;
    MPI_Request barrier = MPI_REQUEST_NULL;
    for (bool is_in_barrier = false;;) {
        int is_there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &is_there, &status);
        if (is_there != 0) {
            int count = 0;
            MPI_Get_count(&status, MPI_UINT64_T, &count);
            std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
            MPI_Recv(values.data(), count, MPI_UINT64_T, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
            received.emplace(status.MPI_SOURCE, std::move(values));
        }
        int are_done = 0;
        if (is_in_barrier) {
            MPI_Test(&barrier, &are_done, MPI_STATUS_IGNORE);
            if (are_done != 0) return received;
        } else {
            MPI_Testall(static_cast<int>(requests.size()), requests.data(), &are_done, MPI_STATUSES_IGNORE);
            if (are_done != 0) MPI_Ibarrier(comm, &barrier);
            is_in_barrier = are_done != 0;
        }
    }
}

} // namespace topo_bench
