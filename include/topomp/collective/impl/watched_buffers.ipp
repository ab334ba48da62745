// SPDX-License-Identifier: BSL-1.0
#pragma once

#ifdef TOPOMP_CHECKED // otherwise nobody asks, and no file pays for it

#include <topomp/collective/detail/watched_buffers.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/memory/detail/window_life.hpp>

#include <exception>
#include <string>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE void watched_buffers::require_unmoved() const {
    for (const auto& each : containers_)
        if (const auto now = each.place_of(each.container); now != each.then)
            throw argument_error(call_, "buffer",
                                 "the container has moved its elements since: it had " +
                                     std::to_string(each.then.size) + ", it has " + std::to_string(now.size) +
                                     (now.data == each.then.data ? "" : " at another address"));
    for (const auto& each : windows_)
        if (each.life.expired())
            throw usage_error(call_, "window", "it has ended, or was moved, since it was given");
}

[[gnu::cold]] TOPOMP_INLINE void watched_buffers::require_unmoved_here() const {
    try {
        require_unmoved();
    } catch (...) {
        failure mine = failure::of_exception();
        mine.name_rank(rank_);
        std::rethrow_exception(mine.what);
    }
}

} // namespace topo::detail

#endif
