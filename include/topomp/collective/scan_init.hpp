// SPDX-License-Identifier: BSL-1.0
/// @file
/// A scan prepared once and started many times.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/scan.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Prepares what `scan` does: `scan_init(levels, elements, result, op[, policy])`, with the arguments of its
/// forms that fill a buffer. Nothing is read or filled before `persistent::start`. Buffers must stay where
/// they are until the result is destroyed; counts and positions are copied.
/// @collective over the whole, also where one `start` is not @cost once what the first call of `scan` costs
/// besides its messages @throws argument_error as `scan`
template <class... Arguments>
persistent scan_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::scan_form<detail::scan_kind::inclusive, detail::when_started>(
        "topo::scan_init", levels, std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> persistent scan_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "scan_init(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scan_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#endif
