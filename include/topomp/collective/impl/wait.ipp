// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/simulated.hpp>

namespace topo {

TOPOMP_INLINE void request::wait() {
    if (!active()) return;
    require_usable("wait");
    if (detail::is_checked && !is_under_way()) return leave_buffers();
    if (!parts_.empty()) {
        wait_all(parts_);
        return parts_.clear();
    }
    const detail::in_flight::turn alone{*among_};
    go_on([this] { return among_->wait(*running_), true; });
    finish();
}

namespace detail {

TOPOMP_INLINE bool is_complete(operation& one) noexcept { return in_flight::is_complete(one); }

TOPOMP_INLINE void await_progress(in_flight* common, function_ref<bool()> is_enough) {
    if (common == nullptr) {
        yield_core();
        return;
    }
    const in_flight::turn alone{*common};
    common->await_any(is_enough);
}

} // namespace detail

} // namespace topo
