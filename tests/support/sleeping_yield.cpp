// SPDX-License-Identifier: BSL-1.0
// In the ranks of the tests: sched_yield sleeps. Ranks that wait call it again and again, and there are more
// ranks than cores. Where only such ranks run, a core is handed around among those that wait; and under Linux
// 6.18, whoever yields to a process that computes is not run again before that process has used up its time.
// A rank that sleeps costs the others little, and runs soon after its sleep. Nothing of the C++ library is
// called, so that programs that this is preloaded into need no further library.
#include <algorithm>
#include <ctime>
#include <sys/prctl.h>

namespace {

long nanoseconds_now() {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000L + now.tv_nsec;
}

} // namespace

extern "C" int sched_yield() noexcept {
    // In nanoseconds. The longer a wait, the longer the sleeps: what comes at once is noticed at once.
    constexpr long shortest = 4'000, longest = 128'000;
    // A call that comes later than this after another one begins a wait of its own.
    constexpr long same_wait = 20'000;
    static thread_local long sleep = shortest, last = 0;
    // By default the kernel may add 50 us to a sleep.
    [[maybe_unused]] static thread_local const int is_exact = prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);

    sleep = nanoseconds_now() - last > same_wait ? shortest : std::min(2 * sleep, longest);
    const std::timespec duration{0, sleep};
    nanosleep(&duration, nullptr);
    last = nanoseconds_now();
    return 0;
}
