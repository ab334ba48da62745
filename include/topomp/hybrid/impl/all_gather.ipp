// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE std::size_t count_of_each(std::string_view call, std::size_t elements,
                                        const hierarchy& levels) {
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    require_elements(call, "window", elements, elements / ranks * ranks);
    return elements / ranks;
}

} // namespace topo::detail
