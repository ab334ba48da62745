// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/posted_between_nodes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/futex_event.hpp>

namespace topo::detail {

TOPOMP_INLINE bool posted_between_nodes::are_raised() const {
    for (int which = 0; which < awaited_.number; ++which)
        if (!is_raised(which)) return false;
    return true;
}

TOPOMP_INLINE void posted_between_nodes::await() {
    if (!looks_at_memory_) return posted_operation::await();
    const waiting& waits = memory_.waits();
    if (!waits.sleeps()) return waits.until_raised([&] { return are_raised(); });
    for (int which = 0; which < awaited_.number; ++which)
        wait_asleep(waits, event_of(awaited_[which]), [&] { return is_raised(which); });
}

} // namespace topo::detail
