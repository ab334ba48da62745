// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block to each rank out of one node's window.
#pragma once

#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <cstddef>
#include <type_traits>

namespace topo {

namespace detail {

/// @param window in the root's group: where all blocks are @param mine where the calling rank's goes
void hybrid_scatter(const hierarchy& levels, const window_view& window, const message& mine, int root,
                    hybrid::meeting sync);

} // namespace detail

namespace hybrid {

/// To each rank its block of what is in the window of the root's node, the blocks lying there in the order of
/// ranks.
///
/// When a rank returns, it has read its block, but others of its node may still read: a rank must call the
/// window's `fence()` before it writes into it.
///
/// @param window over `levels`, or over levels of which each rank is in one; in the root's node of as many
/// elements as all ranks get, written by the root, or by others before a `fence()`; elsewhere of any length
/// @param mine the calling rank's elements, equally many on all ranks
/// @param root a rank of the whole @param options only `sync` is used: each rank receives its own elements
/// @collective over the whole, with the same root and policy
/// @cost each rank of the root's node copies its block; one of another node receives it from a rank of the
/// root's node, without a copy out of the window; on oversubscribed nodes short ones come from the root, as
/// one message for each node
/// @throws argument_error if there is no such root, or `mine` is at a null address; in the root's node if the
/// window has another length
template <class T, writable_buffer Mine, topo::policy Between = automatic>
void scatter(const hierarchy& levels, shared_window<T>& window, Mine&& mine, int root,
             const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Mine>, T>,
                  "topo::hybrid::scatter: elements of the shared_window and mine must be of one type");
    detail::assert_readable<Mine>();
    constexpr auto call = "topo::hybrid::scatter";
    const auto view = detail::check_own(call, levels, [&] {
        detail::require_root(call, root, levels);
        return detail::view_of_window(window);
    });
    const message to = detail::message_of(mine);
    const std::size_t all = detail::check_own(call, levels, [&] {
        detail::require_data(call, "mine", to);
        return detail::elements_of_all(call, to.count, sizeof(T), levels);
    });
    detail::check_hybrid_call<detail::verb::scatter>(
        levels, view, detail::bytes_of(to), true,
        {.call = call, .root = root, .data = {nullptr, to.count, to.type}}, options);
    detail::check_host_memory(levels, call, {to.data});
    const bool is_here = detail::is_in_own_group(levels, view, root);
    detail::check_on_all_ranks(levels, [&] {
        if (is_here) detail::require_elements(call, "window", view.all.count, all);
    });
    detail::hybrid_scatter(levels, view, to, root, options.sync);
}

/// A pointer and a count do not compile: the message names what does.
template <class Element, class T, class... Rest>
void scatter(const hierarchy&, shared_window<Element>&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void scatter(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that has all blocks", "hybrid::scatter(levels, window, mine, root)");

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void scatter(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scatter(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/scatter.ipp>
#endif
