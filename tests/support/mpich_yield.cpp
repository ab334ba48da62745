// SPDX-License-Identifier: BSL-1.0
// Preloaded into MPICH's ranks by the tests. MPICH over UCX waits by polling and never gives its core up, so
// that with more ranks than cores each message costs a time slice of every rank that waits: minutes instead
// of seconds. Here a rank that finds nothing to do lets the others run.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
    using function = unsigned(void*);
    static auto* const real = reinterpret_cast<function*>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    constexpr int polls_before_yield = 4;
    static thread_local int idle_polls = 0;
    const unsigned events = real(worker);
    idle_polls = events != 0 ? 0 : idle_polls + 1;
    if (idle_polls >= polls_before_yield) {
        idle_polls = 0;
        sched_yield();
    }
    return events;
}
