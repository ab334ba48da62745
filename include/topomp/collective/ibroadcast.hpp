// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all ranks, while they work.
#pragma once

#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>

namespace topo {

namespace detail {

/// @tparam Only `only_way` of the policy
template <way Only = way::any>
request ibroadcast(const hierarchy& tree, const message& what, int root, const selection& chosen);

} // namespace detail

/// Starts to send the root's elements to every rank. They must stay where they are, unchanged on the root and
/// unread elsewhere, until the request is complete.
///
/// Local, except for the first collective of a hierarchy: from a root that no blocking verb has had before,
/// the data takes the way through rank 0. @tparam Policy `automatic`, a shape, `per_level`, `segmented`,
/// `recursive_doubling` or `flat`
/// @collective over the whole, with the same root and type signature @cost as `broadcast`
/// @throws argument_error if there is no such root @see MPI standard, Nonblocking Broadcast
template <policy Policy = automatic>
request ibroadcast(const hierarchy& tree, message what, int root, Policy = {}) {
    constexpr auto call = "topo::ibroadcast";
    const std::size_t bytes = detail::check_broadcast(call, tree, what, root);
    const auto chosen = detail::select_in_background<detail::verb::broadcast, Policy>(
        tree, bytes, true, {.call = call, .root = root, .data = what});
    return detail::ibroadcast<detail::only_way<Policy>>(tree, what, root, chosen);
}

/// The same for consecutive elements; all ranks must give as many.
template <writable_buffer Elements, policy Policy = automatic>
request ibroadcast(const hierarchy& tree, Elements&& elements, int root, Policy policy = {}) {
    detail::assert_outlives<Elements>();
    return ibroadcast(tree, detail::message_of(elements), root, policy);
}

/// The same for one value.
template <single_value T, policy Policy = automatic>
request ibroadcast(const hierarchy& tree, T& value, int root, Policy policy = {}) {
    return ibroadcast(tree, detail::message_of_value(value), root, policy);
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/ibroadcast.ipp>
#endif
