// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/futex_event.hpp>

#include <climits>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace topo {

TOPOMP_INLINE void futex_event::ring() noexcept {
    std::atomic_ref{rings}.fetch_add(1);
    if (std::atomic_ref{sleepers}.load() > 0) call(FUTEX_WAKE, INT_MAX, nullptr);
}

TOPOMP_INLINE long futex_event::call(int what, std::uint32_t value, const timespec* limit) noexcept {
    return syscall(SYS_futex, &rings, what, value, limit, nullptr, 0);
}

} // namespace topo
