// SPDX-License-Identifier: BSL-1.0
/// @file
/// One block for all neighbours, and the blocks of all.
#pragma once

#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/neighbour/detail/neighbour_blocks.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <span>
#include <type_traits>
#include <utility>

namespace topo {

/// Sends `elements` to all destinations, and receives those of source i as block i of `result`. All ranks
/// give equally many. What goes by node crosses once for each node that needs it.
///
/// @param where, result as for `neighbour_all_to_all` @collective over the communicator of `where`
/// @throws argument_error if results are not as many for each source as `elements`, or one of the two is at a
/// null address. In a checked build on all ranks, also if ranks give different numbers; without checks the
/// exchange may then not end
/// @see MPI standard, Neighborhood Gather
template <detail::neighbours Where, buffer Elements, writable_buffer Result>
void neighbour_all_gather(const Where& where, const Elements& elements, Result&& result) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, detail::element_value_t<Result>>,
                  "topo::neighbour_all_gather: elements and result must be of one type");
    detail::assert_filled<Result>();
    constexpr auto call = "topo::neighbour_all_gather";
    const neighbourhood& links = detail::neighbours_of(where);
    const auto both = detail::checked_buffers(links, [&] {
        detail::neighbour_buffers made{{detail::repeated, call, elements, links.destinations().size()},
                                       {call, "result", result, links.sources().size()}};
        detail::require_own_length(call, detail::length_of(elements), made.in);
        return made;
    });
    links.exchange(call, both.out.all(), both.in.all(), true, true);
}

/// The same of a value of each rank.
template <detail::neighbours Where, single_value T, writable_buffer Result>
void neighbour_all_gather(const Where& where, const T& value, Result&& result) {
    neighbour_all_gather(where, std::span<const T>{&value, 1}, std::forward<Result>(result));
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<2, Where, Given...>)
void neighbour_all_gather(const Where&, const Given&...)
    TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_gather(where, elements, result)");

/// The same with a number of elements that each rank chooses: the blocks of the sources one behind the other.
/// @param result_counts of each source's block
/// @throws argument_error if there is not a count for each source, if the sum of the counts is not the number
/// of results, or for elements or results at a null address
/// @see MPI standard, Neighborhood Gather, vector variant
template <detail::neighbours Where, buffer Elements, writable_buffer Result>
void neighbour_all_gatherv(const Where& where, const Elements& elements, Result&& result,
                           const integers& result_counts) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, detail::element_value_t<Result>>,
                  "topo::neighbour_all_gatherv: elements and result must be of one type");
    detail::assert_filled<Result>();
    constexpr auto call = "topo::neighbour_all_gatherv";
    const neighbourhood& links = detail::neighbours_of(where);
    const auto both = detail::checked_buffers(links, [&] {
        return detail::neighbour_buffers{{detail::repeated, call, elements, links.destinations().size()},
                                         {call, "result", result, links.sources().size(), result_counts}};
    });
    links.exchange(call, both.out.all(), both.in.all(), true);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<3, Where, Given...>)
void neighbour_all_gatherv(const Where&, const Given&...)
    TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_gatherv(where, elements, result, result_counts)");

} // namespace topo
