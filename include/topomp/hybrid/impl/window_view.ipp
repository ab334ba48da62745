// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace topo::detail {

TOPOMP_INLINE std::byte* window_view::at(std::size_t index) const noexcept {
    return static_cast<std::byte*>(all.data) + index * element;
}

TOPOMP_INLINE copy_groups& window_view::groups(const hierarchy& levels) const {
    return copy_groups::of_window(levels, comm, over_level);
}

TOPOMP_INLINE node_synchronisation window_view::synchronisation(const hierarchy& levels,
                                                                hybrid::meeting by) const {
    const bool is_barrier = by == hybrid::meeting::barrier;
    if (over_level == nullptr) return {comm, steps, waits, is_barrier};
    return {comm, steps, waits.with_progress_of(arena::of(levels).waits()), is_barrier};
}

TOPOMP_INLINE void require_elements(std::string_view call, std::string_view object, std::size_t given,
                                    std::size_t expected) {
    if (given == expected) return;
    const bool is_window = object == "window";
    throw argument_error(
        call, object,
        (is_window ? "the ranks that share it have " : "there are ") + number_of(given, "element") +
            (is_window ? " together, but must have " : ", but must be ") + std::to_string(expected) +
            (object == "elements"
                 ? " for this window; made with topo::hybrid::one_copy it has as many in each "
                   "node as are asked for"
                 : ""));
}

} // namespace topo::detail
