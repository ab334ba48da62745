// SPDX-License-Identifier: BSL-1.0
// A program that holds what a run can leave behind: processes, shared memory, connections. It then does what
// its one argument says: `end`s, `fail`s with exit code 3, or `wait`s to be ended.

#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

int main(int argc, char** argv) {
    std::string_view const then = argc > 1 ? argv[1] : "end";
    // Not MPI_Init: the leaks of an MPI's start are suppressed under the name that the other tests start it
    // by.
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    std::ofstream{"/dev/shm/topomp-occupied-" + std::to_string(getpid())} << "never removed";
    void* memory = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, node, &memory, &window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        std::puts("ready");
        std::fflush(stdout);
    }
    if (then == "wait") {
        sleep(60);
    }
    if (then == "fail" && rank == 1) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
    MPI_Finalize();
}
