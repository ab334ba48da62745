// SPDX-License-Identifier: BSL-1.0
// Loaded before the MPI, makes its start fatal. See no_mpi.sh.
#include <unistd.h>

namespace {

[[noreturn]] void refuse() {
    constexpr char message[] = "MPI_Init was called\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(99);
}

} // namespace

extern "C" int MPI_Init(int* /*argc*/, char*** /*argv*/) { refuse(); }
extern "C" int MPI_Init_thread(int* /*argc*/, char*** /*argv*/, int /*required*/, int* /*provided*/) {
    refuse();
}
