// SPDX-License-Identifier: BSL-1.0
/// @file
/// Counts and times the collective calls that a hierarchy is built with, through MPI's profiling interface:
/// defines the MPI's own names, so only one file of a program may include this.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace topo_bench {

/// The parts a build is made of: which collective, over all ranks or over fewer.
enum class part : std::size_t {
    dup_whole,
    split_whole,
    allreduce_whole,
    bcast_whole,
    dup_below,
    split_below,
    allreduce_below,
    bcast_below
};
inline constexpr std::size_t part_count = 8;
inline constexpr std::array<std::string_view, part_count> part_names{
    "dup, whole", "split, whole", "allreduce, whole", "bcast, whole",
    "dup, below", "split, below", "allreduce, below", "bcast, below"};

struct part_figures {
    int calls = 0;
    double seconds = 0;
    long long payload = 0; ///< bytes that the calling rank passed in
};

inline std::array<part_figures, part_count> calls;
inline bool calls_are_metered = false;

namespace detail {

template <class Call>
int metered(part whole, MPI_Comm comm, long long payload, Call call) {
    if (!calls_are_metered) return call();
    int size = 0, world_size = 0;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
    auto& figures = calls[static_cast<std::size_t>(whole) + (size < world_size ? part_count / 2 : 0)];
    const double start = PMPI_Wtime();
    const int result = call();
    figures.seconds += PMPI_Wtime() - start;
    figures.payload += payload;
    ++figures.calls;
    return result;
}

inline long long bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<long long>(count) * size;
}

} // namespace detail
} // namespace topo_bench

#undef MPI_Comm_dup // SimGrid's names are macros where it traces where calls come from
#undef MPI_Comm_split
#undef MPI_Comm_split_type
#undef MPI_Allreduce
#undef MPI_Bcast

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* result) {
    return topo_bench::detail::metered(topo_bench::part::dup_whole, comm, 0,
                                       [&] { return PMPI_Comm_dup(comm, result); });
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* result) {
    return topo_bench::detail::metered(topo_bench::part::split_whole, comm, 2 * sizeof(int),
                                       [&] { return PMPI_Comm_split(comm, color, key, result); });
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* result) {
    return topo_bench::detail::metered(topo_bench::part::split_whole, comm, 2 * sizeof(int),
                                       [&] { return PMPI_Comm_split_type(comm, type, key, info, result); });
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return topo_bench::detail::metered(topo_bench::part::allreduce_whole, comm,
                                       topo_bench::detail::bytes_of(count, type),
                                       [&] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return topo_bench::detail::metered(topo_bench::part::bcast_whole, comm,
                                       topo_bench::detail::bytes_of(count, type),
                                       [&] { return PMPI_Bcast(buffer, count, type, root, comm); });
}
}
