// SPDX-License-Identifier: BSL-1.0
/// @file
/// A barrier that the caller need not wait in.
#pragma once

#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

namespace topo {

namespace detail {

/// @tparam Only `only_way` of the policy
template <way Only = way::any>
request ibarrier(const hierarchy& tree, const selection& chosen);

} // namespace detail

/// Starts a barrier: its request is complete on a rank when every rank has called this.
///
/// Local, except for the first collective of a hierarchy. @tparam Policy `automatic`, a shape, `per_level`,
/// `dissemination`,
/// `k_ary_recursive_doubling` or `flat`
/// @collective over the whole @cost as `barrier` @see MPI standard, Nonblocking Barrier Synchronization
template <policy Policy = automatic>
request ibarrier(const hierarchy& tree, Policy = {}) {
    return detail::ibarrier<detail::only_way<Policy>>(
        tree, detail::select_in_background<detail::verb::barrier, Policy>(tree, 0, true,
                                                                          {.call = "topo::ibarrier"}));
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/ibarrier.ipp>
#endif
