// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/options.hpp>

#include <algorithm>

namespace topo {

TOPOMP_INLINE bool hierarchy_options::wants(kind which) const {
    return (only.empty() || std::ranges::find(only, which) != only.end()) &&
           std::ranges::find(skip, which) == skip.end();
}

} // namespace topo
