/* SPDX-License-Identifier: BSL-1.0
 *
 * Preloaded into MPICH's ranks by scripts/cluster.
 *
 * MPICH before 4.2 over UCX hangs in MPI_Finalize when its ranks talk TCP: it disconnects, for which the peer
 * has to answer, and then blocks in a barrier of the process manager, where it answers nobody
 * (https://github.com/pmodels/mpich/pull/6596). So meet in a barrier of MPI's, in which everybody still
 * answers; when that is over nothing is in flight, and no connection needs to be taken down politely.
 *
 * Everything is looked up at run time, because the launcher's own programs load this too and have no MPI.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

enum { mpich_comm_world = 0x44000000 }; /* fixed by MPICH's ABI */

int MPI_Finalize(void) {
    int (*barrier)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "PMPI_Barrier");
    int (*finalize)(void) = (int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize");
    if (barrier != NULL) {
        barrier(mpich_comm_world);
    }
    return finalize();
}

void* ucp_disconnect_nb(void* endpoint) {
    (void)endpoint;
    return NULL; /* UCX's word for "done already" */
}
