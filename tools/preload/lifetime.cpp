// SPDX-License-Identifier: BSL-1.0
/// @file
/// The beginning and end of MPI and of communicators.
#include "communicators.hpp"
#include "intercepted.hpp"
#include "process.hpp"
#include "settings.hpp"

#include <mpi.h>

#include <optional>

using topo::preload::freeing;
using topo::preload::process;

namespace {

/// Whether the calling rank's environment wants non-blocking collectives served in any program.
bool asks_for_threads() {
    using namespace topo::preload;
    return environment::own_wish() == background_wish::always;
}

} // namespace

extern "C" {

int intercepted_MPI_Init(int* argc, char*** argv) {
    int provided = MPI_THREAD_SINGLE;
    const int code = asks_for_threads() ? MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                                        : MPI_Init(argc, argv);
    if (code == MPI_SUCCESS) process::self().begin();
    return code;
}

int intercepted_MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code =
        MPI_Init_thread(argc, argv, asks_for_threads() ? MPI_THREAD_MULTIPLE : required, provided);
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
