// SPDX-License-Identifier: BSL-1.0
/// @file
/// A barrier prepared once and started many times.
#pragma once

#include <topomp/collective/forms/barrier.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Prepares what `barrier` does: `barrier_init(levels[, policy])`, with the arguments of its forms that fill
/// a buffer. Nothing is read or filled before `persistent::start`. Buffers must stay where they are until the
/// result is destroyed; counts and positions are copied.
/// @collective over the whole, also where one `start` is not @cost once what the first call of `barrier`
/// costs besides its messages @throws argument_error as `barrier`
template <class... Arguments>
persistent barrier_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::barrier_form<detail::when_started>("topo::barrier_init", levels,
                                                      std::forward<Arguments>(arguments)...);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void barrier_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#endif
