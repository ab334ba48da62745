// SPDX-License-Identifier: BSL-1.0
/// @file
/// What programs call in place of the MPI's own functions.
#pragma once

#include "passed_on.hpp"

#include <mpi.h>

extern "C" {

int intercepted_MPI_Init(int* argc, char*** argv);
int intercepted_MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int intercepted_MPI_Finalize();
int intercepted_MPI_Comm_free(MPI_Comm* comm);
int intercepted_MPI_Comm_disconnect(MPI_Comm* comm);

int intercepted_MPI_Barrier(MPI_Comm comm);
int intercepted_MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int intercepted_MPI_Reduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                           MPI_Comm comm);
int intercepted_MPI_Allreduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm);
int intercepted_MPI_Scan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm);
int intercepted_MPI_Exscan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm);
int intercepted_MPI_Reduce_scatter_block(const void* input, void* result, int count, MPI_Datatype type,
                                         MPI_Op op, MPI_Comm comm);
int intercepted_MPI_Reduce_scatter(const void* input, void* result, const int* counts, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm);
int intercepted_MPI_Gather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                           MPI_Datatype all_type, int root, MPI_Comm comm);
int intercepted_MPI_Scatter(const void* all, int each, MPI_Datatype all_type, void* mine, int count,
                            MPI_Datatype type, int root, MPI_Comm comm);
int intercepted_MPI_Gatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                            const int* displacements, MPI_Datatype all_type, int root, MPI_Comm comm);
int intercepted_MPI_Scatterv(const void* all, const int* counts, const int* displacements,
                             MPI_Datatype all_type, void* mine, int count, MPI_Datatype type, int root,
                             MPI_Comm comm);
int intercepted_MPI_Allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                              MPI_Datatype all_type, MPI_Comm comm);
int intercepted_MPI_Allgatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                               const int* displacements, MPI_Datatype all_type, MPI_Comm comm);
int intercepted_MPI_Alltoall(const void* from, int from_each, MPI_Datatype from_type, void* to, int to_each,
                             MPI_Datatype to_type, MPI_Comm comm);
int intercepted_MPI_Alltoallv(const void* from, const int* from_counts, const int* from_displacements,
                              MPI_Datatype from_type, void* to, const int* to_counts,
                              const int* to_displacements, MPI_Datatype to_type, MPI_Comm comm);

int intercepted_MPI_Alltoallw(const void* from, const int* from_counts, const int* from_displacements,
                              const MPI_Datatype* from_types, void* to, const int* to_counts,
                              const int* to_displacements, const MPI_Datatype* to_types, MPI_Comm comm);

int intercepted_MPI_Neighbor_allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                                       MPI_Datatype all_type, MPI_Comm comm);
int intercepted_MPI_Neighbor_allgatherv(const void* mine, int count, MPI_Datatype type, void* all,
                                        const int* counts, const int* displacements, MPI_Datatype all_type,
                                        MPI_Comm comm);
int intercepted_MPI_Neighbor_alltoall(const void* from, int from_each, MPI_Datatype from_type, void* to,
                                      int to_each, MPI_Datatype to_type, MPI_Comm comm);
int intercepted_MPI_Neighbor_alltoallv(const void* from, const int* from_counts,
                                       const int* from_displacements, MPI_Datatype from_type, void* to,
                                       const int* to_counts, const int* to_displacements,
                                       MPI_Datatype to_type, MPI_Comm comm);
int intercepted_MPI_Neighbor_alltoallw(const void* from, const int* from_counts,
                                       const MPI_Aint* from_displacements, const MPI_Datatype* from_types,
                                       void* to, const int* to_counts, const MPI_Aint* to_displacements,
                                       const MPI_Datatype* to_types, MPI_Comm comm);

int intercepted_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                           MPI_Request* request);
int intercepted_MPI_Ireduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iallreduce(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                               MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ialltoall(const void* from, int from_each, MPI_Datatype from_type, void* to, int to_each,
                              MPI_Datatype to_type, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iscan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iexscan(const void* input, void* result, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ireduce_scatter_block(const void* input, void* result, int count, MPI_Datatype type,
                                          MPI_Op op, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ireduce_scatter(const void* input, void* result, const int* counts, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Igather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                            MPI_Datatype all_type, int root, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iscatter(const void* all, int each, MPI_Datatype all_type, void* mine, int count,
                             MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Igatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                             const int* displacements, MPI_Datatype all_type, int root, MPI_Comm comm,
                             MPI_Request* request);
int intercepted_MPI_Iscatterv(const void* all, const int* counts, const int* displacements,
                              MPI_Datatype all_type, void* mine, int count, MPI_Datatype type, int root,
                              MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Iallgatherv(const void* mine, int count, MPI_Datatype type, void* all, const int* counts,
                                const int* displacements, MPI_Datatype all_type, MPI_Comm comm,
                                MPI_Request* request);
int intercepted_MPI_Ialltoallv(const void* from, const int* from_counts, const int* from_displacements,
                               MPI_Datatype from_type, void* to, const int* to_counts,
                               const int* to_displacements, MPI_Datatype to_type, MPI_Comm comm,
                               MPI_Request* request);
int intercepted_MPI_Ineighbor_allgather(const void* mine, int count, MPI_Datatype type, void* all, int each,
                                        MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ineighbor_allgatherv(const void* mine, int count, MPI_Datatype type, void* all,
                                         const int* counts, const int* displacements, MPI_Datatype all_type,
                                         MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ineighbor_alltoall(const void* from, int from_each, MPI_Datatype from_type, void* to,
                                       int to_each, MPI_Datatype to_type, MPI_Comm comm,
                                       MPI_Request* request);
int intercepted_MPI_Ineighbor_alltoallv(const void* from, const int* from_counts,
                                        const int* from_displacements, MPI_Datatype from_type, void* to,
                                        const int* to_counts, const int* to_displacements,
                                        MPI_Datatype to_type, MPI_Comm comm, MPI_Request* request);
int intercepted_MPI_Ineighbor_alltoallw(const void* from, const int* from_counts,
                                        const MPI_Aint* from_displacements, const MPI_Datatype* from_types,
                                        void* to, const int* to_counts, const MPI_Aint* to_displacements,
                                        const MPI_Datatype* to_types, MPI_Comm comm, MPI_Request* request);
#if TOPOMP_HAS_PERSISTENT
#define TOPOMP_DECLARE_PERSISTENT(name, arguments)                                                           \
    decltype(TOPOMP_PERSISTENT(name)) TOPOMP_INTERCEPTED_PERSISTENT(name);
TOPOMP_PERSISTENT_SERVED(TOPOMP_DECLARE_PERSISTENT)
#undef TOPOMP_DECLARE_PERSISTENT
#endif
int intercepted_MPI_Start(MPI_Request* request);
int intercepted_MPI_Startall(int count, MPI_Request* requests);
int intercepted_MPI_Request_free(MPI_Request* request);
#ifdef OPEN_MPI
int intercepted_MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
int intercepted_MPI_Waitsome(int count, MPI_Request* requests, int* number, int* indices,
                             MPI_Status* statuses);
#endif

int intercepted_MPI_Cart_create(MPI_Comm old, int dimensions, const int* dims, const int* periods,
                                int reorder, MPI_Comm* made);
int intercepted_MPI_Cart_map(MPI_Comm comm, int dimensions, const int* dims, const int* periods, int* rank);
int intercepted_MPI_Dims_create(int ranks, int dimensions, int* dims);
int intercepted_MPI_Dist_graph_create_adjacent(MPI_Comm old, int in, const int* sources,
                                               const int* source_weights, int out, const int* destinations,
                                               const int* destination_weights, MPI_Info info, int reorder,
                                               MPI_Comm* made);
int intercepted_MPI_Dist_graph_create(MPI_Comm old, int nodes, const int* sources, const int* degrees,
                                      const int* destinations, const int* weights, MPI_Info info, int reorder,
                                      MPI_Comm* made);

} // extern "C"
