/* SPDX-License-Identifier: BSL-1.0 */
/* The pages' ./program: knows nothing of topomp, and calls some collectives. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank = 0, sum = 0, first = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d\n", sum);
    MPI_Finalize();
    return first;
}
