// SPDX-License-Identifier: BSL-1.0
/// @file
/// A futex event: a rank wakes the ranks that wait for it.
#pragma once

#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <type_traits>

namespace topo {

/// One rank signals the event, others sleep until it does. For oversubscribed nodes: a sleeping rank needs no
/// core, whereas a polling rank takes the core from the ranks that it waits for. Zeroed memory is a valid
/// event.
struct futex_event {
    std::uint32_t rings;    ///< so many times, modulo 2^32
    std::uint32_t sleepers; ///< the number of sleepers

    /// Wakes all sleepers, to which earlier writes are visible. @cost an atomic addition; a system call if a
    /// rank sleeps
    void ring() noexcept;

    /// Sleeps until the event is signalled, but not if `ready()` is true already, nor longer than the limit.
    /// Either the signalling rank observes a sleeper, or the rank that is about to sleep observes the earlier
    /// writes.
    /// @return false if it ended because of the limit
    template <class Ready>
    bool nap(Ready ready, std::chrono::nanoseconds limit) noexcept {
        std::atomic_ref{sleepers}.fetch_add(1);
        const std::uint32_t rings_before = std::atomic_ref{rings}.load();
        bool is_in_time = true;
        if (!ready()) {
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
            const timespec time{static_cast<std::time_t>(seconds.count()),
                                static_cast<long>((limit - seconds).count())};
            is_in_time = call(FUTEX_WAIT, rings_before, &time) == 0 || errno != ETIMEDOUT;
        }
        std::atomic_ref{sleepers}.fetch_sub(1);
        return is_in_time;
    }

private:
    long call(int what, std::uint32_t value, const timespec* limit) noexcept;
};

static_assert(std::is_trivial_v<futex_event>);

/// The event of a signal that has no other data.
inline futex_event& event_of(signal& each) noexcept { return *reinterpret_cast<futex_event*>(each.payload); }

/// Raises such a signal, and wakes the ranks that sleep until it is raised.
inline void raise_and_wake(signal& own, signal::value_type value, const waiting& waits) noexcept {
    own.raise_to(value);
    if (waits.sleeps()) event_of(own).ring();
}

/// Waits until `ready()` is true. The rank that makes it true signals the event. Where ranks outnumber cores,
/// the caller sleeps until then, and wakes now and then to let MPI move messages: frequent polling would take
/// the cores from other ranks.
template <class Ready>
void wait_asleep(const waiting& waits, futex_event& event, Ready ready) {
    if (!waits.sleeps()) return waits.until_raised(ready);
    constexpr std::chrono::microseconds longest{8000};
    std::chrono::microseconds limit{500};
    waits.until(ready, [&] {
        event.nap(ready, limit);
        limit = std::min(2 * limit, longest);
    });
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/futex_event.ipp>
#endif
