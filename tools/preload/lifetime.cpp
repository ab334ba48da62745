// SPDX-License-Identifier: BSL-1.0
/// @file
/// The beginning and end of MPI and of communicators.
#include "communicators.hpp"
#include "intercepted.hpp"
#include "process.hpp"

#include <mpi.h>

#include <optional>

using topo::preload::freeing;
using topo::preload::process;

extern "C" {

int intercepted_MPI_Init(int* argc, char*** argv) {
    const int code = MPI_Init(argc, argv);
    if (code == MPI_SUCCESS) process::self().begin();
    return code;
}

int intercepted_MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = MPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) process::self().begin();
    return code;
}

int intercepted_MPI_Finalize() {
    process::self().end();
    return MPI_Finalize();
}

int intercepted_MPI_Comm_free(MPI_Comm* comm) {
    std::optional<freeing> while_called;
    if (comm != nullptr) while_called.emplace(*comm);
    return MPI_Comm_free(comm);
}

int intercepted_MPI_Comm_disconnect(MPI_Comm* comm) {
    std::optional<freeing> while_called;
    if (comm != nullptr) while_called.emplace(*comm);
    return MPI_Comm_disconnect(comm);
}

} // extern "C"
