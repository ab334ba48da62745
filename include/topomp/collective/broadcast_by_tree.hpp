// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all ranks, along trees that the program names.
#pragma once

#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <string_view>

namespace topo {

namespace detail {

/// Checks a message from one rank to all. @return its bytes @throws argument_error, in a checked build on all
/// ranks, if there is no such root, or the message is invalid
std::size_t check_broadcast(std::string_view call, const hierarchy& levels, const message& what, int root);

/// @pre `check_broadcast`
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void broadcast(const hierarchy& levels, const message& what, int root, const plan& chosen);

} // namespace detail

/// The root's elements to every rank: after the call all ranks hold the root's elements.
///
/// The message may have a derived datatype. The datatypes of the ranks may differ if an element has the same
/// number of bytes of data on every rank. Long messages are cut between elements. @param root a rank of the
/// whole
/// @tparam Policy one that serves `broadcast`: docs/collectives.md, 'Algorithms'
/// @collective over the whole, with the same root and type signature
/// @cost of a tree of depth D over p ranks in s segments: D + s - 1 transfers of a segment on the longest
/// path
/// @throws argument_error if there is no such root @see MPI standard, Broadcast; paper 1, section 7.2
template <policy Policy = automatic>
void broadcast(const hierarchy& levels, message what, int root, Policy = {}) {
    const std::size_t bytes = detail::check_broadcast("topo::broadcast", levels, what, root);
    detail::broadcast<detail::only_algorithm<Policy>>(
        levels, what, root,
        detail::select<detail::verb::broadcast, Policy>(levels, bytes, true, {.root = root, .data = what}));
}

/// The root's elements to every rank; all ranks must give as many.
template <writable_buffer Elements, policy Policy = automatic>
void broadcast(const hierarchy& levels, Elements&& elements, int root, Policy policy = {}) {
    detail::assert_readable<Elements>();
    broadcast(levels, detail::message_of(elements), root, policy);
}

/// The root's value to every rank.
template <single_value T, policy Policy = automatic>
void broadcast(const hierarchy& levels, T& value, int root, Policy policy = {}) {
    broadcast(levels, detail::message_of_value(value), root, policy);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void broadcast(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("whose data all get", "broadcast(levels, data, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void broadcast(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/broadcast.ipp>
#endif
