// SPDX-License-Identifier: BSL-1.0
// What MPI itself leaks behind collectives that fail.
#pragma once

// Of the sanitizers, where the program is built with them.
extern "C" [[gnu::weak]] void __lsan_disable(); // NOLINT(bugprone-reserved-identifier)
extern "C" [[gnu::weak]] void __lsan_enable();  // NOLINT(bugprone-reserved-identifier)

namespace topo_test {

/// MPICH frees no communicator on which a receive is posted when MPI ends: this is no leak of topomp's.
class unwatched {
public:
    unwatched() {
        if (__lsan_disable != nullptr) __lsan_disable();
    }
    ~unwatched() {
        if (__lsan_enable != nullptr) __lsan_enable();
    }
    unwatched(const unwatched&) = delete;
    unwatched& operator=(const unwatched&) = delete;
};

} // namespace topo_test
