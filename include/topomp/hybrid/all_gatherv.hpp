// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from all ranks, in rank order, once per node.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/detail/rank_blocks.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <type_traits>

namespace topo {

namespace detail {

using all_gather_between = void (*)(const hierarchy& groups, const blocks& result);

template <class Between>
void all_gather_by(const hierarchy& groups, const blocks& result) {
    const message mine{MPI_IN_PLACE, 0, result.type};
    topo::all_gatherv(groups, mine, result, Between{});
}

/// The groups' contributions, one block each. @pre the groups are intervals
blocks blocks_of_groups(copy_groups& groups, const rank_blocks& where, const window_view& window);

/// The groups' first ranks exchange blocks that lie apart: these are packed first, into memory of their own.
void all_gather_packed(copy_groups& groups, const hierarchy& roots, const rank_blocks& where,
                       const window_view& window, all_gather_between between);

/// Up to so many bytes a rank packs blocks that lie apart, instead of sending them one by one.
inline constexpr std::size_t most_packed = std::size_t{1} << 18;

/// @pre on the groups' first ranks: all blocks of the group are in their places
void all_gather_by_roots(copy_groups& groups, const rank_blocks& where, const window_view& window,
                         all_gather_between between);

/// @param mine the calling rank's elements; null: they are in their place
void hybrid_all_gather(const hierarchy& levels, const window_view& window, const void* mine, bool is_in_place,
                       const rank_blocks& where, hybrid::meeting sync, bool by_lanes,
                       all_gather_between between);

/// The number of bytes of each rank from which on every rank sends its own block.
inline constexpr std::size_t all_gather_by_lanes_from = std::size_t{1} << 19;

template <class Between>
void hybrid_all_gather(const hierarchy& levels, const window_view& window, const void* mine, bool is_in_place,
                       const rank_blocks& where, const hybrid::policy<Between>& options) {
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    const bool by_lanes = options.across == hybrid::carriers::best
                              ? window.bytes() >= all_gather_by_lanes_from * ranks
                              : options.across == hybrid::carriers::lanes;
    hybrid_all_gather(levels, window, mine, is_in_place, where, options.sync, by_lanes,
                      &all_gather_by<Between>);
}

/// @param counts of all ranks
template <class T, class Between>
void hybrid_all_gatherv(const hierarchy& levels, const T* mine, bool is_in_place, shared_window<T>& window,
                        const integers& counts, const hybrid::policy<Between>& options) {
    constexpr auto call = "topo::hybrid::all_gatherv";
    const window_view view = check_own(call, levels, [&] {
        const window_view all = view_of_window(window);
        const blocks parts{nullptr, all.all.type, 0, counts};
        require_counts(call, parts, levels);
        require_elements(call, "window", all.all.count, extent_of(call, parts).sum);
        return all;
    });
    const blocks parts{nullptr, view.all.type, 0, counts};
    check_hybrid_call<verb::all_gatherv>(
        levels, view, view.bytes(), true,
        {.call = call, .lengths = hash_of_lengths(parts, levels.whole_size())}, options);
    check_host_memory(levels, call, {mine});
    const rank_blocks where = blocks_of_counts(levels, counts);
    hybrid_all_gather(levels, view, mine, is_in_place, where, options);
}

} // namespace detail

namespace hybrid {

/// Every rank's elements, in the order of ranks whatever the placement, into the window of every node; ranks
/// may have different numbers of them.
///
/// The window is read and written as after `broadcast`.
///
/// @param elements the calling rank's, as many as its count
/// @param window over `levels`, or over levels of which each rank is in one; of as many elements as all ranks
/// have
/// @param counts of each rank's elements, the same on all ranks
/// @collective over the whole, with the same counts and policy
/// @cost each rank copies its elements; among one rank of each node a `topo::all_gatherv` of the nodes'
/// blocks (by lanes each rank exchanges its own), and two or three waits through shared memory
/// @throws argument_error on the rank that sees it: lengths that do not fit, elements at a null address
/// @see paper 2, section 4.2
template <buffer Elements, class T, topo::policy Between = automatic>
void all_gatherv(const hierarchy& levels, const Elements& elements, shared_window<T>& window,
                 const integers& counts, const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::all_gatherv: elements and those of the shared_window must be of one type");
    constexpr auto call = "topo::hybrid::all_gatherv";
    detail::check_own(call, levels, [&] {
        detail::require_counts(call, counts, levels);
        detail::require_elements(call, "elements", detail::length_of(elements),
                                 counts[static_cast<std::size_t>(levels.whole_rank())]);
        detail::require_data(call, "elements", detail::view_of(elements));
    });
    detail::hybrid_all_gatherv<T>(levels, detail::data_of(elements), false, window, counts, options);
}

/// The same of what each rank has written into its place in its node's window.
/// @pre no rank of the node reads the window any more when one writes: `window.fence()`
template <class T, topo::policy Between = automatic>
void all_gatherv(const hierarchy& levels, shared_window<T>& window, const integers& counts,
                 const policy<Between>& options = {}) {
    detail::hybrid_all_gatherv<T>(levels, nullptr, true, window, counts, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void all_gatherv(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void all_gatherv(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_gatherv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_gatherv.ipp>
#endif
