// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all nodes, once per node.
#pragma once

#include <topomp/collective/broadcast.hpp>
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

using broadcast_between = void (*)(const hierarchy& groups, const message& what, int root);

template <class Between>
void broadcast_by(const hierarchy& groups, const message& what, int root) {
    topo::broadcast(groups, what, root, Between{});
}

/// @param elements the root's; null everywhere: they are in the window of the root's group
/// @param by_lanes each lane carries a stripe
void hybrid_broadcast(const hierarchy& levels, const window_view& window, const void* elements,
                      bool is_in_place, int root, hybrid::meeting sync, bool by_lanes,
                      broadcast_between between);

template <class T, class Between>
void hybrid_broadcast(const hierarchy& levels, const T* elements, bool is_in_place, shared_window<T>& window,
                      int root, const hybrid::policy<Between>& options) {
    constexpr auto call = "topo::hybrid::broadcast";
    const window_view view = check_own(call, levels, [&] {
        require_root(call, root, levels);
        return view_of_window(window);
    });
    check_hybrid_call<verb::broadcast>(levels, view, view.bytes(), true,
                                       {.call = call, .root = root, .data = view.all}, options);
    check_host_memory(levels, call, {elements});
    // One rank per node saturates one network adapter; lanes are for nodes with several.
    const bool by_lanes = options.across == hybrid::carriers::lanes;
    hybrid_broadcast(levels, view, elements, is_in_place, root, options.sync, by_lanes,
                     &broadcast_by<Between>);
}

} // namespace detail

namespace hybrid {

/// The root's elements into the window of every node: after the call each rank reads them in its node's.
///
/// When a rank returns, it may read the window until it calls the next verb with it, or writes into it. Other
/// ranks of its node may not have returned yet, so a rank must call the window's `fence()` before it writes
/// into it.
///
/// @param elements the root's, as many as the window has; elsewhere not used, and may be empty
/// @param window over `levels`, or over levels of which each rank is in one; the same on all ranks, of one
/// length
/// @param root a rank of the whole @tparam Between see `policy`
/// @collective over the whole, with the same root and policy
/// @cost a copy in the root's node, a `topo::broadcast` among one rank of each node (by lanes, of a stripe of
/// the elements among as many as the smallest node has), and two waits through shared memory
/// @throws argument_error if there is no such root, on the root if the lengths differ, or if elements, of any
/// rank, are at a null address
/// @see paper 2, section 4.3
template <buffer Elements, class T, topo::policy Between = automatic>
void broadcast(const hierarchy& levels, const Elements& elements, shared_window<T>& window, int root,
               const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::broadcast: elements and those of the shared_window must be of one type");
    constexpr auto call = "topo::hybrid::broadcast";
    detail::check_own(call, levels, [&] {
        if (levels.whole_rank() == root)
            detail::require_elements(call, "elements", detail::length_of(elements), window.size());
        // Of other ranks, too, so that all see it.
        detail::require_data(call, "elements", detail::data_of(elements), detail::length_of(elements),
                             detail::datatype_of<T>());
    });
    detail::hybrid_broadcast<T>(levels, detail::data_of(elements), false, window, root, options);
}

/// The same of what the root has written into its node's window.
/// @pre no rank of the root's node reads the window any more when the root writes: `window.fence()`
template <class T, topo::policy Between = automatic>
void broadcast(const hierarchy& levels, shared_window<T>& window, int root,
               const policy<Between>& options = {}) {
    detail::hybrid_broadcast<T>(levels, nullptr, true, window, root, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void broadcast(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void broadcast(const hierarchy&, const Given&...) TOPOMP_NEEDS_ROOT(
    "whose data all get",
    "hybrid::broadcast(levels, elements, window, root) or hybrid::broadcast(levels, window, root)");

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void broadcast(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void broadcast(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/broadcast.ipp>
#endif
