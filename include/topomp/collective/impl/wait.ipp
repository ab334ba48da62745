// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/detail/inline.hpp>

#include <sched.h>

namespace topo::detail {

TOPOMP_INLINE void await_progress(in_flight* common) {
    if (common == nullptr) {
        sched_yield();
        return;
    }
    const in_flight::turn alone{*common};
    common->await_any();
}

} // namespace topo::detail
