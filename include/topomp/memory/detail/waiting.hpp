// SPDX-License-Identifier: BSL-1.0
/// @file
/// How a rank waits for others in shared memory.
#pragma once

#include <topomp/memory/detail/simulated.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <sched.h>

namespace topo {

namespace detail {

/// Tells the core that this is a loop that waits.
inline void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

/// A time that passes, without <chrono> in each file that waits.
class deadline {
public:
    /// @param limit from now on: a duration of std::chrono
    template <class Limit>
        requires requires { typename Limit::period; }
    deadline(Limit limit)
        : end_(now() + static_cast<double>(limit.count()) * Limit::period::num / Limit::period::den) {}

    static deadline after(double seconds) noexcept { return deadline{now() + seconds}; }

    bool has_passed() const noexcept { return now() > end_; }

private:
    explicit deadline(double end) noexcept : end_(end) {}

    /// Seconds of a steady clock.
    static double now() noexcept;

    double end_;
};

/// How many seconds a checked build waits for other ranks of a call that they may not make: as
/// `TOPOMP_FENCE_SECONDS` of the environment says, 60 without it.
int seconds_of_checks();

} // namespace detail

/// How a rank waits for others in shared memory. First it only reads the shared value, a number of times.
/// Then it calls MPI's progress and gives up its core, again and again: another rank may wait for a message
/// of this one, and the rank that it waits for may have no core.
class waiting {
public:
    /// Moves messages; called with the state that was given with it.
    using progress_function = void (*)(const void* state);

    /// So many reads at least before a rank gives up its core.
    static constexpr std::size_t usual_looks = 30;
    /// So many looks as take the time in which a core is given up and taken back, which is measured once:
    /// so a wait costs at most twice as much as if its length had been known. On two cores of their own, on
    /// which that takes 1.2 us and 30 looks take 0.5, two ranks combined 2 KiB in 1.9 us after 30 looks and
    /// in 1.1 after 60, 120 or 240. On two cores that others used as well two ranks met in 2 us after 10
    /// looks and in 15 after 200. @cost 20 us the first time
    static std::size_t looks_of_a_yield();
    /// The same where ranks outnumber cores: another rank needs this core now.
    static constexpr std::size_t few_looks = 2;
    /// Then a rank does not sleep at once: to be woken takes about as long as others need in a short call.
    /// Short collectives of 4 ranks on two cores took 1.01 times less time than Open MPI's if ranks slept
    /// after 8 yields, 1.24 times less after 50 us, 1.20 to 1.32 after 100 or 200. Where ranks wait for a
    /// message from another host, each that is awake takes the core from the one that moves it: 4 hosts of 4
    /// ranks on two cores, MPICH, a broadcast of 128 KiB took 0.65 ms after 8 yields, 0.78 after 50 us, 1.9
    /// after 512 yields.
    static constexpr double seconds_awake = 50e-6;
    /// The same for a short message that one rank passes on, while no rank exchanges with other nodes. On
    /// these hosts a broadcast of 512 bytes took 265 us after 50 us, 180 after 300 and 220 after 600; a
    /// scatter of 2 KiB 390, 235 and 280; the MPI's 300 and 280. But an all_reduce whose ranks wait so for
    /// the sum took 640 in place of 460, because its leaders exchange meanwhile. Open MPI is as fast either
    /// way (2026-11-27).
    static constexpr double seconds_awake_for_one = 300e-6;

    static constexpr std::size_t long_message = std::numeric_limits<std::size_t>::max();

    /// Without MPI.
    explicit waiting(std::size_t looks = usual_looks) noexcept : looks_(looks) {}
    /// @param state passed to `progress`; must live as long as this
    /// @param sleeps whether ranks sleep, because they outnumber cores, and are woken by the rank that raises
    /// a signal
    waiting(std::size_t looks, progress_function progress, const void* state, bool sleeps = false) noexcept
        : looks_(looks), progress_(progress), state_(state), sleeps_(sleeps) {}

    std::size_t looks() const noexcept { return looks_; }
    bool sleeps() const noexcept { return sleeps_; }
    /// The same, but it gives up its core at once.
    waiting without_looking() const noexcept {
        waiting made{*this};
        made.looks_ = 0;
        return made;
    }
    /// The same, but it makes the progress of another one.
    waiting with_progress_of(const waiting& other) const noexcept {
        waiting made{*this};
        made.progress_ = other.progress_;
        made.state_ = other.state_;
        return made;
    }
    /// For a message of so many bytes that one rank passes on: if it is short, the waiting rank stays awake
    /// longer.
    waiting for_one(std::size_t bytes) const noexcept {
        constexpr std::size_t longest = 8192;
        waiting made{*this};
        if (bytes <= longest) made.seconds_awake_ = seconds_awake_for_one;
        return made;
    }

    /// Returns when `ready()` is true.
    template <class Ready>
    void until(Ready ready) const {
        if (look(ready)) return;
        while (!step(ready)) {
        }
    }

    /// The same if only signals determine whether it is ready. A simulation then tests at each signal, so
    /// that the wait has its exact length; otherwise it tests once a microsecond.
    template <class Ready>
    void until_raised(Ready ready) const {
        if constexpr (detail::is_simulated)
            detail::wait_in_simulation(ready);
        else
            until(ready);
    }

    /// As `until` for oversubscribed nodes: a rank that has looked and yielded its core for a while calls
    /// `nap()`, which returns when it may be ready, or after a while, because MPI's messages must progress.
    template <class Ready, std::invocable Nap>
    void until(Ready ready, Nap nap) const {
        if (look(ready)) return;
        const auto end = detail::deadline::after(seconds_awake_);
        do
            if (step(ready)) return;
        while (!end.has_passed());
        while (!ready()) {
            nap();
            if (progress_ != nullptr && !ready()) progress_(state_);
        }
    }

    /// The same as the first, with a limit. @return whether it is ready
    template <class Ready>
    bool until(Ready ready, detail::deadline end) const {
        if (look(ready)) return true;
        while (!step(ready))
            if (end.has_passed()) return ready();
        return true;
    }

private:
    template <class Ready>
    bool look(Ready& ready) const {
        for (std::size_t i = 0; i < looks_; ++i) {
            if (ready()) return true;
            detail::pause_core();
        }
        return ready();
    }

    /// The core is yielded several times before MPI is called, because that call may take longer.
    template <class Ready>
    bool step(Ready& ready) const {
        constexpr int yields = 4;
        for (int i = 0; i < yields; ++i) {
            sched_yield();
            if (ready()) return true;
        }
        if (progress_ != nullptr) progress_(state_);
        return ready();
    }

    std::size_t looks_;
    progress_function progress_ = nullptr;
    const void* state_ = nullptr;
    bool sleeps_ = false;
    double seconds_awake_ = seconds_awake;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/waiting.ipp>
#endif
