// SPDX-License-Identifier: BSL-1.0
#include "reason.hpp"

#include <utility>

namespace topo::preload {

namespace {

thread_local reason noted = reason::other;

} // namespace

bool left_for(reason why) noexcept {
    noted = why;
    return false;
}

reason take_reason() noexcept { return std::exchange(noted, reason::other); }

} // namespace topo::preload
