// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of all ranks, in rank order, in one node.
#pragma once

#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
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

/// @param mine the calling rank's elements @param window in the root's group: where all go
void hybrid_gather(const hierarchy& levels, const window_view& window, const message& mine, int root,
                   hybrid::meeting sync);

} // namespace detail

namespace hybrid {

/// Every rank's elements, in the order of ranks whatever the placement, into the window of the root's node.
///
/// When a rank of that node returns, it may read the window until it calls the next verb with it, or writes
/// into it. Other ranks of its node may not have returned yet, so a rank must call the window's `fence()`
/// before it writes into it.
///
/// @param elements the calling rank's, equally many on all ranks
/// @param window over `levels`, or over levels of which each rank is in one; in the root's node of as many
/// elements as all ranks have, elsewhere of any length: none is enough
/// @param root a rank of the whole @param options only `sync` is used: each rank sends its own elements
/// @collective over the whole, with the same root and policy
/// @cost each rank of another node sends its elements to a rank of the root's node, which receives them where
/// they belong; on oversubscribed nodes short ones go to the root, as one message for each node
/// @throws argument_error if there is no such root, or elements are at a null address; in the root's node if
/// the window has another length
template <buffer Elements, class T, topo::policy Between = automatic>
void gather(const hierarchy& levels, const Elements& elements, shared_window<T>& window, int root,
            const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::gather: elements and those of the shared_window must be of one type");
    constexpr auto call = "topo::hybrid::gather";
    const auto view = detail::check_own(call, levels, [&] {
        detail::require_root(call, root, levels);
        return detail::view_of_window(window);
    });
    const message mine = detail::view_of(elements);
    const std::size_t all = detail::check_own(call, levels, [&] {
        detail::require_data(call, "elements", mine);
        return detail::elements_of_all(call, mine.count, sizeof(T), levels);
    });
    detail::check_hybrid_call<detail::verb::gather>(
        levels, view, detail::bytes_of(mine), true,
        {.call = call, .root = root, .data = {nullptr, mine.count, mine.type}}, options);
    detail::check_host_memory(levels, call, {mine.data});
    const bool is_here = detail::is_in_own_group(levels, view, root);
    detail::check_on_all_ranks(levels, [&] {
        if (is_here) detail::require_elements(call, "window", view.all.count, all);
    });
    detail::hybrid_gather(levels, view, mine, root, options.sync);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void gather(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void gather(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that gets the result", "hybrid::gather(levels, elements, window, root)");

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void gather(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void gather(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/gather.ipp>
#endif
