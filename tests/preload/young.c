/* SPDX-License-Identifier: BSL-1.0 */
/* young few|many|uneven SECONDS: collectives on communicators that the program made.
 * few: many communicators with fewer calls each than any hierarchy is built after. many: one communicator,
 * short calls for so many seconds. uneven: the same, where the ranks come to the first calls at different
 * times, so that each has spent another time in them. */
#define _DEFAULT_SOURCE
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* A call of each kind: one in which all wait for all, and one in which the root waits for nobody. */
static int wrong_after(MPI_Comm comm, int number) {
    int mine, sum = -1, word;
    MPI_Comm_rank(comm, &mine);
    if (number % 2 == 0) {
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        return sum != size * (size - 1) / 2;
    }
    word = mine == 0 ? number : -1;
    MPI_Bcast(&word, 1, MPI_INT, 0, comm);
    return word != number;
}

static int few(void) {
    int wrong = 0;
    for (int i = 0; i < 40; ++i) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
        for (int call = 0; call < 2 + i % 6; ++call)
            wrong += wrong_after(comm, call);
        MPI_Comm_free(&comm);
    }
    return wrong;
}

static int many(int is_uneven, double seconds) {
    int wrong = 0, goes_on = 1;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    if (is_uneven) MPI_Barrier(MPI_COMM_WORLD); /* the library measures what a hierarchy costs */
    const double begin = MPI_Wtime();
    for (int call = 0; goes_on; ++call) {
        if (is_uneven && call < 32) usleep((useconds_t)(rank * 10000));
        wrong += wrong_after(comm, call);
        if (call % 64 != 63) continue;
        goes_on = MPI_Wtime() - begin < seconds;
        PMPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&comm);
    return wrong;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3) PMPI_Abort(MPI_COMM_WORLD, 1);
    const char* const mode = argv[1];
    int wrong = strcmp(mode, "few") == 0 ? few() : many(strcmp(mode, "uneven") == 0, atof(argv[2]));
    PMPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("wrong values: %d\n", wrong);
    MPI_Finalize();
    return wrong != 0;
}
