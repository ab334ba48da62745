// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/kept_objects.hpp>

namespace topo::detail {

TOPOMP_INLINE kept_objects::~kept_objects() {
    while (!objects_.empty())
        objects_.pop_back();
}

} // namespace topo::detail
