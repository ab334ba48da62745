// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 2 ranks: tests for a short message that was sent, and for one that comes later, until one is
// complete. Exit code 0 if MPI_Testany tells of the former. SimGrid 3.32 never does.
#include <mpi.h>

#include <array>
#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, sent = 1, received = 0, which = MPI_UNDEFINED, is_untold = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::array<MPI_Request, 2> both{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Isend(&sent, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &both[0]);
        MPI_Irecv(&received, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &both[1]);
        MPI_Recv(&received, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // it has been received
        for (int look = 0; look < 1000 && which == MPI_UNDEFINED; ++look) {
            int is_one = 0;
            MPI_Testany(2, both.data(), &which, &is_one, MPI_STATUS_IGNORE);
        }
        is_untold = which == 0 ? 0 : 1;
        if (is_untold != 0) std::printf("MPI_Testany does not tell of a message that was sent\n");
        MPI_Send(&sent, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&sent, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(&received, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&sent, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return is_untold;
}
