// SPDX-License-Identifier: BSL-1.0
// These functions take the place of operator new and, by MPI's profiling interface, of the collectives: they
// count and do the same. Apart from what is tested, for the compiler must not see that memory comes from
// malloc.
#include "tally.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <new>

topo_test::tally topo_test::spent;

namespace {

using topo_test::spent;

int counted(int& counter, int result) {
    ++counter;
    return result;
}

} // namespace

void* operator new(std::size_t size) {
    spent.bytes += size;
    if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
    throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
    return counted(spent.splits, PMPI_Comm_split(comm, colour, key, part));
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
    return counted(spent.splits, PMPI_Comm_split_type(comm, type, key, info, part));
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) { return counted(spent.splits, PMPI_Comm_dup(comm, copy)); }
int MPI_Barrier(MPI_Comm comm) { return counted(spent.exchanges, PMPI_Barrier(comm)); }
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return counted(spent.exchanges, PMPI_Bcast(data, count, type, root, comm));
}
int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return counted(spent.exchanges, PMPI_Reduce(in, out, count, type, op, root, comm));
}
int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return counted(spent.exchanges, PMPI_Allreduce(in, out, count, type, op, comm));
}
int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return counted(spent.exchanges, PMPI_Scan(in, out, count, type, op, comm));
}
int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return counted(spent.exchanges, PMPI_Exscan(in, out, count, type, op, comm));
}
int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
               MPI_Datatype out_type, int root, MPI_Comm comm) {
    return counted(spent.gathers, PMPI_Gather(in, in_count, in_type, out, out_count, out_type, root, comm));
}
int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                  MPI_Datatype out_type, MPI_Comm comm) {
    return counted(spent.gathers, PMPI_Allgather(in, in_count, in_type, out, out_count, out_type, comm));
}
int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count,
                 MPI_Datatype out_type, MPI_Comm comm) {
    return counted(spent.gathers, PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm));
}

} // extern "C"
