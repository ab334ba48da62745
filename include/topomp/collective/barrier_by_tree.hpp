// SPDX-License-Identifier: BSL-1.0
/// @file
/// No rank returns before all ranks have called, along trees that the program names.
#pragma once

#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void barrier(const hierarchy& levels, const plan& chosen);

} // namespace detail

/// Returns on a rank when every rank has called it.
/// @tparam Policy one that serves `barrier`: docs/collectives.md, 'Algorithms'
/// @collective over the whole @cost of a tree of depth D: 2 D empty messages on the longest path;
/// of dissemination: ceil(log2 p) messages of every rank
/// @see MPI standard, Barrier Synchronization
template <policy Policy = automatic>
void barrier(const hierarchy& levels, Policy = {}) {
    detail::barrier<detail::only_algorithm<Policy>>(levels,
                                                    detail::select<detail::verb::barrier, Policy>(levels, 0));
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void barrier(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/barrier.ipp>
#endif
