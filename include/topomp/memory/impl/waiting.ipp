// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <chrono>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE double deadline::now() noexcept {
    return std::chrono::duration<double>{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

TOPOMP_INLINE void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

} // namespace topo::detail
