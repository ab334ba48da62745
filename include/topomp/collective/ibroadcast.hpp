// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all ranks, nonblocking.
#pragma once

#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request ibroadcast(const hierarchy& levels, const message& what, int root, const plan& chosen);

} // namespace detail

/// Starts to send the root's elements to every rank. They must stay where they are, unchanged on the root and
/// unread elsewhere, until the request is complete.
///
/// Local, except for the first collective of a hierarchy: if no blocking verb has used this root before, the
/// data goes through rank 0.
/// @tparam Policy as for `broadcast`, but one with a non-blocking form
/// @collective over the whole, with the same root and type signature @cost as `broadcast`
/// @throws argument_error if there is no such root @see MPI standard, Nonblocking Broadcast
template <policy Policy = automatic>
request ibroadcast(const hierarchy& levels, message what, int root, Policy = {}) {
    constexpr auto call = "topo::ibroadcast";
    const std::size_t bytes = detail::check_broadcast(call, levels, what, root);
    const auto chosen = detail::select_in_background<detail::verb::broadcast, Policy>(
        levels, bytes, true, {.call = call, .root = root, .data = what});
    return detail::ibroadcast<detail::only_algorithm<Policy>>(levels, what, root, chosen);
}

/// The same for consecutive elements; all ranks must give as many.
template <writable_buffer Elements, policy Policy = automatic>
request ibroadcast(const hierarchy& levels, Elements&& elements, int root, Policy policy = {}) {
    detail::assert_outlives<Elements>();
    request started = ibroadcast(levels, detail::message_of(elements), root, policy);
    detail::at_once::watch_in("topo::ibroadcast", levels, started, elements);
    return started;
}

/// The same for one value.
template <single_value T, policy Policy = automatic>
request ibroadcast(const hierarchy& levels, T& value, int root, Policy policy = {}) {
    return ibroadcast(levels, detail::message_of_value(value), root, policy);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...> request ibroadcast(const hierarchy&, const Given&...)
TOPOMP_NEEDS_ROOT("whose data all get", "ibroadcast(levels, data, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ibroadcast(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/ibroadcast.ipp>
#endif
