// SPDX-License-Identifier: BSL-1.0
// Linked into programs built with the sanitizers: what the MPI allocates while it starts and ends is no leak.
// A suppression would need stacks deep enough to hold MPI_Init, and to unwind them at each allocation takes
// most of the tests' time.
#include <mpi.h>

#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>

namespace {

template <class Function, class... Arguments>
int call_unwatched(Function* /*type*/, const char* name, Arguments... arguments) {
    const __lsan::ScopedDisabler unwatched;
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name))(arguments...);
}

} // namespace

extern "C" {
int MPI_Init(int* argc, char*** argv) { return call_unwatched(&MPI_Init, "MPI_Init", argc, argv); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return call_unwatched(&MPI_Init_thread, "MPI_Init_thread", argc, argv, required, provided);
}

int MPI_Finalize() { return call_unwatched(&MPI_Finalize, "MPI_Finalize"); }
}
