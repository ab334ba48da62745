// SPDX-License-Identifier: BSL-1.0
// Plain MPI, 2 ranks: windows on parts of memory that the program has. Exit code 0 if what is put arrives in
// them. MPICH 4.0.2 over UCX 1.13 or later takes for a window's begin that of the memory that UCX registered:
// the next lower multiple of 16, or the begin of a larger part that was registered before.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> memory(1000);
    const int other = 1 - rank;
    for (const std::size_t offset : {0U, 1U, 2U, 3U, 4U, 500U}) { // some are no multiples of 16 bytes
        int* const begin = memory.data() + offset;
        const std::size_t count = offset == 0 ? memory.size() : 3;
        MPI_Win window = MPI_WIN_NULL;
        MPI_Win_create(begin, static_cast<MPI_Aint>(count * sizeof(int)), sizeof(int), MPI_INFO_NULL,
                       MPI_COMM_WORLD, &window);
        for (int& each : memory)
            each = -1;
        MPI_Win_fence(0, window);
        MPI_Put(&rank, 1, MPI_INT, other, 2, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        if (begin[2] != other && failures++ == 0)
            std::printf("what is put into a window %zu bytes behind the begin does not arrive\n",
                        offset * sizeof(int));
        MPI_Win_free(&window);
    }
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
