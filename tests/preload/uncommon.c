/* SPDX-License-Identifier: BSL-1.0 */
/* A few of each kind of collective that is never topomp's. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define PERSISTENT(name) MPIX_##name##_init
#else
#define PERSISTENT(name) MPI_##name##_init
#endif

static int rank, size;

static void require(int holds, const char* what) {
    if (holds) return;
    printf("rank %d: %s\n", rank, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
    enum { most = 16 };
    int value, sum, all[most], ones[most], places[most];
    MPI_Datatype types[most];
    MPI_Request request;
    MPI_Comm half, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; ++i) {
        ones[i] = 1;
        places[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    int given[most];
    for (int i = 0; i < size; ++i)
        given[i] = 100 * rank + i;
    MPI_Ialltoallw(given, ones, places, types, all, ones, places, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(all[size - 1] == 100 * (size - 1) + rank, "Ialltoallw");
    MPI_Iscan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(sum == rank * (rank + 1) / 2, "Iscan");
    for (int i = 0; i < size; ++i)
        places[i] = i;
    MPI_Igatherv(&rank, 1, MPI_INT, all, ones, places, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(rank != 0 || all[size - 1] == size - 1, "Igatherv");

    value = rank == 0 ? 7 : 0;
    PERSISTENT(Bcast)(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    require(value == 7, "Bcast_init");
#if MPI_VERSION >= 4
    MPI_Count counts[most];
    MPI_Aint displacements[most];
    for (int i = 0; i < size; ++i) {
        counts[i] = 1;
        displacements[i] = i * (int)sizeof(int);
    }
    MPI_Ialltoallw_c(given, counts, displacements, types, all, counts, displacements, types, MPI_COMM_WORLD,
                     &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(all[size - 1] == 100 * (size - 1) + rank, "Ialltoallw_c");
#endif

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, between);
    require(all[0] == 1 - rank % 2, "Allgather between two groups");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    if (rank == 0) printf("uncommon calls are right\n");
    MPI_Finalize();
    return 0;
}
