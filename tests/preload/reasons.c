/* SPDX-License-Identifier: BSL-1.0 */
/* Collectives that are left to the MPI, each for a reason of its own. */
#include <mpi.h>

#include <stdio.h>

static int barrier_while_freeing(MPI_Comm comm, int key, void* value, void* state) {
    (void)key, (void)value, (void)state;
    return MPI_Barrier(comm);
}

int main(int argc, char** argv) {
    enum { most = 16 };
    int rank, size, sum, key, all[most], ones[most], places[most];
    MPI_Datatype types[most];
    MPI_Comm copy, half, between, grid;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Bcast(all, 0, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
        MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, size, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, barrier_while_freeing, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_attr(copy, key, &key);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&key);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);

    for (int i = 0; i < size; ++i) {
        ones[i] = 1;
        places[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    int given[most] = {0};
    MPI_Ialltoallw(given, ones, places, types, all, ones, places, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int periods = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &grid);
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return code == MPI_SUCCESS;
}
