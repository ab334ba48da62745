// SPDX-License-Identifier: BSL-1.0
/// @file
/// Open MPI's persistent collectives in Fortran, as fortran.cpp has all others.
#include "degrees.hpp"
#include "fortran.hpp"
#include "intercepted.hpp"

#include <mpi.h>

#if defined(OPEN_MPI) && TOPOMP_HAS_PERSISTENT

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

extern "C" {

void mpix_barrier_init_f08_(integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Barrier)(comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_bcast_init_f08_(void* buffer, integers count, integers type, integers root, integers comm,
                          integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Bcast)(buffer_of(buffer), *count, type_of(type), *root,
                                                    comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_reduce_init_f08_(void* input, void* result, integers count, integers type, integers op,
                           integers root, integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Reduce)(buffer_of(input), buffer_of(result), *count,
                                                     type_of(type), op_of(op), *root, comm_of(comm),
                                                     MPI_Info_f2c(*info), it);
    });
}

void mpix_allreduce_init_f08_(void* input, void* result, integers count, integers type, integers op,
                              integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Allreduce)(buffer_of(input), buffer_of(result), *count,
                                                        type_of(type), op_of(op), comm_of(comm),
                                                        MPI_Info_f2c(*info), it);
    });
}

void mpix_scan_init_f08_(void* input, void* result, integers count, integers type, integers op, integers comm,
                         integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Scan)(buffer_of(input), buffer_of(result), *count, type_of(type),
                                                   op_of(op), comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_exscan_init_f08_(void* input, void* result, integers count, integers type, integers op,
                           integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Exscan)(buffer_of(input), buffer_of(result), *count,
                                                     type_of(type), op_of(op), comm_of(comm),
                                                     MPI_Info_f2c(*info), it);
    });
}

void mpix_reduce_scatter_block_init_f08_(void* input, void* result, integers count, integers type,
                                         integers op, integers comm, integers info, MPI_Fint* request,
                                         MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Reduce_scatter_block)(buffer_of(input), buffer_of(result),
                                                                   *count, type_of(type), op_of(op),
                                                                   comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_reduce_scatter_init_f08_(void* input, void* result, integers counts, integers type, integers op,
                                   integers comm, integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Reduce_scatter)(buffer_of(input), buffer_of(result), counts,
                                                             type_of(type), op_of(op), comm_of(comm),
                                                             MPI_Info_f2c(*info), it);
    });
}

void mpix_gather_init_f08_(void* mine, integers count, integers type, void* all, integers each,
                           integers all_type, integers root, integers comm, integers info, MPI_Fint* request,
                           MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Gather)(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                     *each, type_of(all_type), *root, comm_of(comm),
                                                     MPI_Info_f2c(*info), it);
    });
}

void mpix_scatter_init_f08_(void* all, integers each, integers all_type, void* mine, integers count,
                            integers type, integers root, integers comm, integers info, MPI_Fint* request,
                            MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Scatter)(buffer_of(all), *each, type_of(all_type),
                                                      buffer_of(mine), *count, type_of(type), *root,
                                                      comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_gatherv_init_f08_(void* mine, integers count, integers type, void* all, integers counts,
                            integers displacements, integers all_type, integers root, integers comm,
                            integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Gatherv)(buffer_of(mine), *count, type_of(type), buffer_of(all),
                                                      counts, displacements, type_of(all_type), *root,
                                                      comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_scatterv_init_f08_(void* all, integers counts, integers displacements, integers all_type,
                             void* mine, integers count, integers type, integers root, integers comm,
                             integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Scatterv)(
            buffer_of(all), counts, displacements, type_of(all_type), buffer_of(mine), *count, type_of(type),
            *root, comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_allgather_init_f08_(void* mine, integers count, integers type, void* all, integers each,
                              integers all_type, integers comm, integers info, MPI_Fint* request,
                              MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Allgather)(buffer_of(mine), *count, type_of(type),
                                                        buffer_of(all), *each, type_of(all_type),
                                                        comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_allgatherv_init_f08_(void* mine, integers count, integers type, void* all, integers counts,
                               integers displacements, integers all_type, integers comm, integers info,
                               MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Allgatherv)(
            buffer_of(mine), *count, type_of(type), buffer_of(all), counts, displacements, type_of(all_type),
            comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_alltoall_init_f08_(void* from, integers from_each, integers from_type, void* to, integers to_each,
                             integers to_type, integers comm, integers info, MPI_Fint* request,
                             MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Alltoall)(buffer_of(from), *from_each, type_of(from_type),
                                                       buffer_of(to), *to_each, type_of(to_type),
                                                       comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_alltoallv_init_f08_(void* from, integers from_counts, integers from_displacements,
                              integers from_type, void* to, integers to_counts, integers to_displacements,
                              integers to_type, integers comm, integers info, MPI_Fint* request,
                              MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Alltoallv)(
            buffer_of(from), from_counts, from_displacements, type_of(from_type), buffer_of(to), to_counts,
            to_displacements, type_of(to_type), comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_neighbor_allgather_init_f08_(void* mine, integers count, integers type, void* all, integers each,
                                       integers all_type, integers comm, integers info, MPI_Fint* request,
                                       MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Neighbor_allgather)(buffer_of(mine), *count, type_of(type),
                                                                 buffer_of(all), *each, type_of(all_type),
                                                                 comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_neighbor_allgatherv_init_f08_(void* mine, integers count, integers type, void* all, integers counts,
                                        integers displacements, integers all_type, integers comm,
                                        integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Neighbor_allgatherv)(
            buffer_of(mine), *count, type_of(type), buffer_of(all), counts, displacements, type_of(all_type),
            comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_neighbor_alltoall_init_f08_(void* from, integers from_each, integers from_type, void* to,
                                      integers to_each, integers to_type, integers comm, integers info,
                                      MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Neighbor_alltoall)(
            buffer_of(from), *from_each, type_of(from_type), buffer_of(to), *to_each, type_of(to_type),
            comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_neighbor_alltoallv_init_f08_(void* from, integers from_counts, integers from_displacements,
                                       integers from_type, void* to, integers to_counts,
                                       integers to_displacements, integers to_type, integers comm,
                                       integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        return TOPOMP_INTERCEPTED_PERSISTENT(Neighbor_alltoallv)(
            buffer_of(from), from_counts, from_displacements, type_of(from_type), buffer_of(to), to_counts,
            to_displacements, type_of(to_type), comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

void mpix_neighbor_alltoallw_init_f08_(void* from, integers from_counts, const MPI_Aint* from_displacements,
                                       integers from_types, void* to, integers to_counts,
                                       const MPI_Aint* to_displacements, integers to_types, integers comm,
                                       integers info, MPI_Fint* request, MPI_Fint* ierror) {
    starting(request, ierror, [&](MPI_Request* it) {
        const degrees neighbours{comm_of(comm)};
        return TOPOMP_INTERCEPTED_PERSISTENT(Neighbor_alltoallw)(
            buffer_of(from), from_counts, from_displacements, lasting_types_of(from_types, neighbours.out),
            buffer_of(to), to_counts, to_displacements, lasting_types_of(to_types, neighbours.in),
            comm_of(comm), MPI_Info_f2c(*info), it);
    });
}

} // extern "C"

TOPOMP_FORTRAN_NAMES_OF(mpix_barrier_init, MPIX_BARRIER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_bcast_init, MPIX_BCAST_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_reduce_init, MPIX_REDUCE_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_allreduce_init, MPIX_ALLREDUCE_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_scan_init, MPIX_SCAN_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_exscan_init, MPIX_EXSCAN_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_reduce_scatter_block_init, MPIX_REDUCE_SCATTER_BLOCK_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_reduce_scatter_init, MPIX_REDUCE_SCATTER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_gather_init, MPIX_GATHER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_scatter_init, MPIX_SCATTER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_gatherv_init, MPIX_GATHERV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_scatterv_init, MPIX_SCATTERV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_allgather_init, MPIX_ALLGATHER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_allgatherv_init, MPIX_ALLGATHERV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_alltoall_init, MPIX_ALLTOALL_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_alltoallv_init, MPIX_ALLTOALLV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_neighbor_allgather_init, MPIX_NEIGHBOR_ALLGATHER_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_neighbor_allgatherv_init, MPIX_NEIGHBOR_ALLGATHERV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_neighbor_alltoall_init, MPIX_NEIGHBOR_ALLTOALL_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_neighbor_alltoallv_init, MPIX_NEIGHBOR_ALLTOALLV_INIT)
TOPOMP_FORTRAN_NAMES_OF(mpix_neighbor_alltoallw_init, MPIX_NEIGHBOR_ALLTOALLW_INIT)

#endif
