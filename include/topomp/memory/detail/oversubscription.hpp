// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether ranks have to take turns on cores.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// Properties of the nodes of a hierarchy, the same on all ranks, found once.
struct oversubscription {
    bool shares_memory = false;     ///< whether on some node several ranks have memory in common
    bool is_oversubscribed = false; ///< whether on some node there are more of them than cores

    /// @collective over the whole the first time @cost then that of `arena::of`, and an all-reduce
    static const oversubscription& of(const hierarchy& levels);
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/oversubscription.ipp>
#endif
