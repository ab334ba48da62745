// SPDX-License-Identifier: BSL-1.0
// Linked into programs built with the sanitizers: what the MPI allocates while it starts and ends is no leak.
// A suppression would need stacks deep enough to hold MPI_Init. The MPI's libraries have no frame pointers,
// and to unwind their stacks at each allocation would take half of the tests' time.
#include <mpi.h>

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>

namespace {

template <class Function, class... Arguments>
int call_unwatched(Function* /*type*/, const char* name, Arguments... arguments) {
    const __lsan::ScopedDisabler unwatched;
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name))(arguments...);
}

/// vasprintf of the C library.
int print(char** text, const char* format, std::va_list arguments) {
    std::va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    const auto size = static_cast<std::size_t>(length) + 1;
    *text = length < 0 ? nullptr : static_cast<char*>(std::malloc(size));
    return *text == nullptr ? -1 : std::vsnprintf(*text, size, format, arguments);
}

} // namespace

extern "C" {
int MPI_Init(int* argc, char*** argv) { return call_unwatched(&MPI_Init, "MPI_Init", argc, argv); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return call_unwatched(&MPI_Init_thread, "MPI_Init_thread", argc, argv, required, provided);
}

int MPI_Finalize() { return call_unwatched(&MPI_Finalize, "MPI_Finalize"); }

// These stand in for the C library's. Without frame pointers, of the functions above an allocation only its
// own caller is known, which lsan.supp needs: here a function of the MPI, and not one of the C library.
// NOLINTBEGIN(bugprone-reserved-identifier)
int __vasprintf_chk(char** text, int /*flag*/, const char* format, std::va_list arguments) {
    return print(text, format, arguments);
}

int __asprintf_chk(char** text, int /*flag*/, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int length = print(text, format, arguments);
    va_end(arguments);
    return length;
}
// NOLINTEND(bugprone-reserved-identifier)
}
