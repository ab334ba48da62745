// SPDX-License-Identifier: BSL-1.0
/// @file
/// What every call that takes a hierarchy checks first.
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// @param call as errors name it @throws usage_error if the hierarchy was moved from or MPI has ended
/// @cost two loads
template <class Call>
void require_open(const Call& call, const hierarchy& levels) {
    if (!levels.is_open()) [[unlikely]]
        refuse_use(finalize_hook::has_ended(), call, "hierarchy");
}

} // namespace topo::detail
