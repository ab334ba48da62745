// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of all ranks, in rank order, once per node.
#pragma once

#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace topo {

namespace detail {

/// How many elements each rank has in a window. @throws argument_error if they are not equally many
std::size_t count_of_each(std::string_view call, std::size_t elements, const hierarchy& levels);

template <class T, class Between>
void hybrid_all_gather(const hierarchy& levels, const T* mine, bool is_in_place, shared_window<T>& window,
                       const hybrid::policy<Between>& options) {
    constexpr auto call = "topo::hybrid::all_gather";
    std::size_t each = 0;
    const window_view view = check_own(call, levels, [&] {
        const window_view all = view_of_window(window);
        each = count_of_each(call, all.all.count, levels);
        return all;
    });
    const rank_blocks where{each};
    check_hybrid_call<verb::all_gather>(levels, view, view.bytes(), true, {.call = call, .data = view.all},
                                        options);
    check_host_memory(levels, call, {mine});
    hybrid_all_gather(levels, view, mine, is_in_place, where, options);
}

} // namespace detail

namespace hybrid {

/// Where the calling rank's elements are among all ranks' in a window: what `all_gather` in place expects
/// filled in. Local. @throws argument_error if the window has not as many of each rank
template <class T>
std::span<T> block_of(const hierarchy& levels, shared_window<T>& window, int rank) {
    const std::size_t each = detail::count_of_each("topo::hybrid::block_of", window.size(), levels);
    return window.all().subspan(static_cast<std::size_t>(rank) * each, each);
}

/// Every rank's elements, in the order of ranks whatever the placement, into the window of every node.
///
/// When a rank returns, it may read the window until it calls the next verb with it, or writes into it. Other
/// ranks of its node may not have returned yet, so a rank must call the window's `fence()` before it writes
/// into it.
///
/// @param elements the calling rank's, equally many on all ranks
/// @param window over `levels`, or over levels of which each rank is in one; of as many elements as all ranks
/// have
/// @collective over the whole, with the same policy @cost as `all_gatherv`
/// @throws argument_error if the window has another length, or elements are at a null address @see paper 2,
/// section 4.2
template <buffer Elements, class T, topo::policy Between = automatic>
void all_gather(const hierarchy& levels, const Elements& elements, shared_window<T>& window,
                const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::all_gather: elements and those of the shared_window must be of one type");
    constexpr auto call = "topo::hybrid::all_gather";
    detail::check_own(call, levels, [&] {
        detail::require_elements(
            call, "window", window.size(),
            detail::elements_of_all(call, detail::length_of(elements), sizeof(T), levels));
        detail::require_data(call, "elements", detail::view_of(elements));
    });
    detail::hybrid_all_gather<T>(levels, detail::data_of(elements), false, window, options);
}

/// The same of what each rank has written into its block of its node's window (`block_of`).
/// @pre no rank of the node reads the window any more when one writes: `window.fence()`
template <class T, topo::policy Between = automatic>
void all_gather(const hierarchy& levels, shared_window<T>& window, const policy<Between>& options = {}) {
    detail::hybrid_all_gather<T>(levels, nullptr, true, window, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void all_gather(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void all_gather(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_gather(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_gather.ipp>
#endif
