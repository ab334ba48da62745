// SPDX-License-Identifier: BSL-1.0
/// @file
/// A nonblocking barrier.
#pragma once

#include <topomp/collective/request.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request ibarrier(const hierarchy& levels, const plan& chosen);

} // namespace detail

/// Starts a barrier: its request is complete on a rank when every rank has called this.
///
/// Local, except for the first collective of a hierarchy.
/// @tparam Policy as for `barrier`, but one with a non-blocking form
/// @collective over the whole @cost as `barrier` @see MPI standard, Nonblocking Barrier Synchronization
template <policy Policy = automatic>
request ibarrier(const hierarchy& levels, Policy = {}) {
    return detail::ibarrier<detail::only_algorithm<Policy>>(
        levels, detail::select_in_background<detail::verb::barrier, Policy>(levels, 0, true,
                                                                            {.call = "topo::ibarrier"}));
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ibarrier(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/ibarrier.ipp>
#endif
