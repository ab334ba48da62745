/* SPDX-License-Identifier: BSL-1.0 */
/* Threads with a communicator each, that call collectives at the same time. */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>

enum { number = 3, rounds = 12, length = 3000 };
static MPI_Comm comms[number];
static int wrong[number];

static void* work(void* argument) {
    const int me = *(int*)argument;
    static _Thread_local int data[length], sums[length];
    int rank, size;
    MPI_Comm_rank(comms[me], &rank);
    MPI_Comm_size(comms[me], &size);
    for (int round = 0; round < rounds; ++round) {
        const int root = round % size;
        for (int i = 0; i < length; ++i)
            data[i] = rank == root ? i + round + me : -1;
        MPI_Bcast(data, length, MPI_INT, root, comms[me]);
        MPI_Allreduce(data, sums, length, MPI_INT, MPI_SUM, comms[me]);
        for (int i = 0; i < length; ++i)
            wrong[me] += data[i] != i + round + me || sums[i] != size * data[i];
        if (round % 6 == 5) { /* another communicator, made and freed while the others work */
            MPI_Comm own;
            MPI_Comm_dup(comms[me], &own);
            for (int i = 0; i < 4; ++i)
                MPI_Barrier(own);
            MPI_Comm_free(&own);
        }
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank, names[number];
    pthread_t threads[number];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < number; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < number; ++i) {
            names[i] = i;
            pthread_create(&threads[i], NULL, work, &names[i]);
        }
        for (int i = 0; i < number; ++i)
            pthread_join(threads[i], NULL);
    }
    int all = 0;
    for (int i = 0; i < number; ++i) {
        MPI_Allreduce(MPI_IN_PLACE, &wrong[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        all += wrong[i];
        MPI_Comm_free(&comms[i]);
    }
    if (rank == 0) printf("wrong values: %d\n", all);
    MPI_Finalize();
    return all != 0;
}
