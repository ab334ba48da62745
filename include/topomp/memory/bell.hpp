// SPDX-License-Identifier: BSL-1.0
/// @file
/// How a rank wakes those that sleep until it is further.
#pragma once

#include <climits>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>

namespace topo {

/// One rank rings, others sleep until it does. For ranks that outnumber cores: who sleeps needs no core,
/// where one that looks again and again keeps it from those that he waits for. Memory filled with zeros holds
/// bells.
struct alignas(128) bell {
    std::uint32_t rings;    ///< so many times, modulo 2^32
    std::uint32_t sleepers; ///< who would be woken

    /// Wakes all who sleep; what was written before, they see. @cost an atomic addition; a system call if
    /// somebody sleeps
    void ring() noexcept {
        std::atomic_ref{rings}.fetch_add(1);
        if (std::atomic_ref{sleepers}.load() > 0) call(FUTEX_WAKE, INT_MAX, nullptr);
    }

    /// Sleeps until it rings, but not if `ready()` is true already, nor longer than so long.
    /// Either the one who rings sees a sleeper, or who wants to sleep sees what was written before.
    template <class Ready>
    void sleep(Ready ready, std::chrono::nanoseconds limit) noexcept {
        std::atomic_ref{sleepers}.fetch_add(1);
        const std::uint32_t heard = std::atomic_ref{rings}.load();
        if (!ready()) {
            const timespec time{0, static_cast<long>(limit.count())};
            call(FUTEX_WAIT, heard, &time);
        }
        std::atomic_ref{sleepers}.fetch_sub(1);
    }

private:
    void call(int what, std::uint32_t value, const timespec* limit) noexcept {
        syscall(SYS_futex, &rings, what, value, limit, nullptr, 0); // whatever it says, one looks again
    }
};

static_assert(sizeof(bell) == 128 && std::is_trivial_v<bell>);

} // namespace topo
