// SPDX-License-Identifier: BSL-1.0
// Preloaded into MPICH's ranks by scripts/cluster.
//
// MPICH before 4.2 over UCX hangs in MPI_Finalize when its ranks talk TCP: it disconnects, for which the peer
// has to answer, and then blocks in a barrier of the process manager, where it answers nobody
// (https://github.com/pmodels/mpich/pull/6596). So meet in a barrier of MPI's, in which everybody still
// answers; when that is over nothing is in flight, and no connection needs to be taken down politely.
//
// Everything is looked up at run time, because the launcher's own programs load this too and have no MPI.
#include <dlfcn.h>

constexpr int mpich_comm_world = 0x44000000; // fixed by MPICH's ABI

extern "C" int MPI_Finalize() {
    using barrier_function = int(int);
    using finalize_function = int();
    auto* const barrier = reinterpret_cast<barrier_function*>(dlsym(RTLD_DEFAULT, "PMPI_Barrier"));
    auto* const finalize = reinterpret_cast<finalize_function*>(dlsym(RTLD_NEXT, "MPI_Finalize"));
    if (barrier != nullptr) {
        barrier(mpich_comm_world);
    }
    return finalize();
}

extern "C" void* ucp_disconnect_nb(void* /*endpoint*/) {
    return nullptr; // UCX's word for "done already"
}
