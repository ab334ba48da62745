// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

TOPOMP_INLINE attachments::~attachments() {
    while (!objects_.empty())
        objects_.pop_back();
}

} // namespace topo::detail
