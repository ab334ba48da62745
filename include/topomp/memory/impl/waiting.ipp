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

} // namespace topo::detail
