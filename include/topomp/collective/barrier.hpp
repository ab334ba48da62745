// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nobody goes on before all have come.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

namespace topo {

namespace detail {

/// @tparam Only `only_way` of the policy
template <way Only = way::any>
void barrier(const hierarchy& tree, const selection& chosen);

} // namespace detail

/// Returns on a rank when every rank has called it.
/// @tparam Policy `automatic`, a shape, `per_level`, `dissemination`, `k_ary_recursive_doubling`,
/// `hierarchical`, `native` or `flat`
/// @collective over the whole @cost of a tree of depth D: 2 D empty messages on the longest path;
/// of dissemination: ceil(log2 p) messages of every rank
/// @see MPI standard, Barrier Synchronization
template <policy Policy = automatic>
void barrier(const hierarchy& tree, Policy = {}) {
    detail::barrier<detail::only_way<Policy>>(tree, detail::select<detail::verb::barrier, Policy>(tree, 0));
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/barrier.ipp>
#endif
