// SPDX-License-Identifier: BSL-1.0
/// @file
/// Waiting for one of several requests while the library's thread is inside MPI too, in Open MPI.
///
/// Its own (4.1) waits on a variable of its stack, which threads that complete two of the requests at a time
/// both write to, the second perhaps after the return. A program of one thread need not know of that.
#include "intercepted.hpp"
#include "process.hpp"

#include <mpi.h>

#ifdef OPEN_MPI

#include <thread>

using topo::preload::process;

extern "C" {

int intercepted_MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    if (!process::self().has_background) return MPI_Waitany(count, requests, index, status);
    while (true) {
        int is_over = 0;
        const int code = MPI_Testany(count, requests, index, &is_over, status);
        if (code != MPI_SUCCESS || is_over != 0) return code;
        std::this_thread::yield();
    }
}

int intercepted_MPI_Waitsome(int count, MPI_Request* requests, int* number, int* indices,
                             MPI_Status* statuses) {
    if (!process::self().has_background) return MPI_Waitsome(count, requests, number, indices, statuses);
    while (true) {
        const int code = MPI_Testsome(count, requests, number, indices, statuses);
        if (code != MPI_SUCCESS || *number != 0) return code;
        std::this_thread::yield();
    }
}

} // extern "C"

#endif
