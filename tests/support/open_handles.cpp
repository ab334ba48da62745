// SPDX-License-Identifier: BSL-1.0
// The MPI's profiling interface: these functions take the place of the MPI's, count, and call the real ones.
#include "open_handles.hpp"

#include <mpi.h>

namespace {

topo_test::open_handles open;

int made(int& counter, int result, bool exists) {
    if (result == MPI_SUCCESS && exists) ++counter;
    return result;
}

int freed(int& counter, int result) {
    if (result == MPI_SUCCESS) --counter;
    return result;
}

int made_comm(int result, const MPI_Comm* comm) {
    return made(open.communicators, result, result == MPI_SUCCESS && *comm != MPI_COMM_NULL);
}

int made_group(int result, const MPI_Group* group) {
    return made(open.groups, result, result == MPI_SUCCESS && *group != MPI_GROUP_EMPTY);
}

} // namespace

topo_test::open_handles topo_test::count_open_handles() { return open; }

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) { return made_comm(PMPI_Comm_dup(comm, copy), copy); }

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
    return made_comm(PMPI_Comm_split(comm, color, key, part), part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
    return made_comm(PMPI_Comm_split_type(comm, type, key, info, part), part);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* part) {
    return made_comm(PMPI_Comm_create(comm, group, part), part);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* part) {
    return made_comm(PMPI_Comm_create_group(comm, group, tag, part), part);
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm* joined) {
    return made_comm(PMPI_Intercomm_create(local, leader, peer, remote, tag, joined), joined);
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* dims, const int* periods, int reorder,
                    MPI_Comm* cart) {
    return made_comm(PMPI_Cart_create(comm, dimensions, dims, periods, reorder, cart), cart);
}

int MPI_Cart_sub(MPI_Comm cart, const int* remain, MPI_Comm* part) {
    return made_comm(PMPI_Cart_sub(cart, remain, part), part);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int* sources, const int* source_weights,
                                   int outdegree, const int* destinations, const int* destination_weights,
                                   MPI_Info info, int reorder, MPI_Comm* graph) {
    return made_comm(PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                                     destinations, destination_weights, info, reorder, graph),
                     graph);
}

int MPI_Comm_free(MPI_Comm* comm) { return freed(open.communicators, PMPI_Comm_free(comm)); }

int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
    return made_group(PMPI_Comm_group(comm, group), group);
}

int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* part) {
    return made_group(PMPI_Group_incl(group, count, ranks, part), part);
}

int MPI_Group_free(MPI_Group* group) { return freed(open.groups, PMPI_Group_free(group)); }

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* erase,
                           int* keyval, void* state) {
    return made(open.keyvals, PMPI_Comm_create_keyval(copy, erase, keyval, state), true);
}

int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
    return made(open.windows, PMPI_Win_allocate_shared(bytes, unit, info, comm, base, window), true);
}

int MPI_Win_free(MPI_Win* window) { return freed(open.windows, PMPI_Win_free(window)); }

int MPI_Comm_free_keyval(int* keyval) { return freed(open.keyvals, PMPI_Comm_free_keyval(keyval)); }

} // extern "C"
