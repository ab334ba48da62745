// SPDX-License-Identifier: BSL-1.0
// Loaded before other libraries, answers as a machine on which what TOPOMP_TEST_MISFIT names is wrong. See
// doctor.sh.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string_view>
#include <sys/statvfs.h>
#include <sys/uio.h>

namespace {

bool is_wrong(std::string_view what) {
    const char* const named = std::getenv("TOPOMP_TEST_MISFIT");
    return named != nullptr && what == named;
}

template <class Function>
Function* next(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

int MPI_Get_library_version(char* text, int* length) {
    if (!is_wrong("mpi")) return next(&MPI_Get_library_version, "MPI_Get_library_version")(text, length);
    std::strcpy(text, "Some MPI v9.9, of a module");
    *length = static_cast<int>(std::strlen(text));
    return 0;
}

int statvfs(const char* path, struct statvfs* about) noexcept {
    const int code = next(&statvfs, "statvfs")(path, about);
    const unsigned long mebibytes = is_wrong("little memory") ? 64 : is_wrong("no memory") ? 4 : 0;
    if (code == 0 && mebibytes != 0) {
        about->f_frsize = 1 << 20;
        about->f_blocks = about->f_bavail = mebibytes;
    }
    return code;
}

ssize_t process_vm_readv(pid_t process, const iovec* here, unsigned long here_count, const iovec* there,
                         unsigned long there_count, unsigned long flags) noexcept {
    if (!is_wrong("copies"))
        return next(&process_vm_readv, "process_vm_readv")(process, here, here_count, there, there_count,
                                                           flags);
    errno = EPERM;
    return -1;
}
}
