// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 4 ranks: a receive for anything on a communicator from MPI_Comm_split_type, and a message on
// another one. Exit code 0 if the receive gets nothing. SimGrid 3.32 gives it the message.
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, arrived = 0, all_arrived = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm node = MPI_COMM_NULL, other = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    int unexpected = -1;
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Irecv(&unexpected, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, node, &pending);
    MPI_Barrier(other);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, 5, other, &sent);
    MPI_Barrier(other);
    MPI_Test(&pending, &arrived, MPI_STATUS_IGNORE);
    MPI_Allreduce(&arrived, &all_arrived, 1, MPI_INT, MPI_MAX, other);
    if (all_arrived != 0) {
        if (rank == 0) std::printf("a receive got a message of another communicator\n");
    } else {
        int expected = -1;
        MPI_Recv(&expected, 1, MPI_INT, MPI_ANY_SOURCE, 5, other, MPI_STATUS_IGNORE);
        MPI_Cancel(&pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Comm_free(&node);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return all_arrived;
}
