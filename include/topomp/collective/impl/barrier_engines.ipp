// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/barrier_by_tree.hpp>
#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/of_barrier.hpp>
#include <topomp/collective/impl/barrier.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_barrier = forms_of<verb::barrier>(
    []<algorithm Only> { return static_cast<void (*)(const hierarchy&, const plan&)>(&barrier<Only>); });
#endif

} // namespace topo::detail
