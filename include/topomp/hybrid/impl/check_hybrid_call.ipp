// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE std::size_t number_of_groups(const hierarchy& levels, const window_view& window) {
    return copy_groups::number_of(levels, window.comm, window.over_level);
}

TOPOMP_INLINE bool is_in_own_group(const hierarchy& levels, const window_view& window, int rank) {
    auto& groups = window.groups(levels);
    return groups.seat_of(rank).group == groups.group();
}

} // namespace topo::detail
