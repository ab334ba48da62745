// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <sched.h>

namespace topo::detail {

TOPOMP_INLINE double deadline::now() noexcept {
    return std::chrono::duration<double>{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

TOPOMP_INLINE int seconds_of_checks() {
    const char* const asked = std::getenv("TOPOMP_FENCE_SECONDS");
    const int seconds = asked != nullptr ? std::atoi(asked) : 0;
    return seconds > 0 ? seconds : 60;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE std::size_t waiting::looks_of_a_yield() {
    static const std::size_t measured = [] {
        constexpr int attempts = 8, pauses = 32;
        constexpr double most = 300; // others may have taken the core each time
        const auto least_time_of = [](auto what) {
            auto least = std::chrono::steady_clock::duration::max();
            for (int i = 0; i < attempts; ++i) {
                const auto begin = std::chrono::steady_clock::now();
                what();
                least = std::min(least, std::chrono::steady_clock::now() - begin);
            }
            return std::chrono::duration<double>{least}.count();
        };
        const double yield = least_time_of([] { sched_yield(); });
        const double looks = least_time_of([] {
            for (int i = 0; i < pauses; ++i)
                detail::pause_core();
        });
        const double number = looks > 0 ? pauses * yield / looks : most;
        return static_cast<std::size_t>(std::clamp(number, static_cast<double>(usual_looks), most));
    }();
    return measured;
}

} // namespace topo
