// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of its own for each neighbour, and one from each.
#pragma once

#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/neighbour/detail/neighbour_blocks.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <type_traits>

namespace topo {

/// Sends block i of `elements` to destination i, and receives the block of source i as block i of `result`.
/// All blocks of all ranks have the same length.
///
/// @param where a `neighbourhood`, `graph`, `node_cart`, or a communicator with a topology of MPI's
/// @param elements a block for each destination @param result a block for each source; where that is
/// `MPI_PROC_NULL` it is not touched
/// @collective over the communicator of `where`
/// @cost directly a message for each link; by node see `neighbourhood`
/// @throws argument_error if elements are not as many for each destination as results for each source, or one
/// of the two is at a null address. In a checked build on all ranks, also if two ranks have blocks of
/// different lengths; without checks the exchange may then not end
/// @see MPI standard, Neighborhood Alltoall
template <detail::neighbours Where, buffer Elements, writable_buffer Result>
void neighbour_all_to_all(const Where& where, const Elements& elements, Result&& result) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, detail::element_value_t<Result>>,
                  "topo::neighbour_all_to_all: elements and result must be of one type");
    detail::assert_filled<Result>();
    constexpr auto call = "topo::neighbour_all_to_all";
    const neighbourhood& links = detail::neighbours_of(where);
    const auto both = detail::checked_buffers(links, [&] {
        detail::neighbour_buffers made{{call, "elements", elements, links.destinations().size()},
                                       {call, "result", result, links.sources().size()}};
        detail::require_one_length(call, made.out, made.in);
        return made;
    });
    links.exchange(call, both.out.all(), both.in.all(), false, true);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<2, Where, Given...>)
void neighbour_all_to_all(const Where&, const Given&...)
    TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_to_all(where, elements, result)");

/// The same with a length for each block. Blocks lie one behind the other.
/// @param counts of each destination's block @param result_counts of each source's; of `MPI_PROC_NULL` too
/// @throws argument_error if there is not a count for each neighbour, if the sum of the counts is not the
/// number of elements, or for elements or results at a null address
/// @see MPI standard, Neighborhood Alltoall, vector variant
template <detail::neighbours Where, buffer Elements, writable_buffer Result>
void neighbour_all_to_allv(const Where& where, const Elements& elements, const integers& counts,
                           Result&& result, const integers& result_counts) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, detail::element_value_t<Result>>,
                  "topo::neighbour_all_to_allv: elements and result must be of one type");
    detail::assert_filled<Result>();
    constexpr auto call = "topo::neighbour_all_to_allv";
    const neighbourhood& links = detail::neighbours_of(where);
    const auto both = detail::checked_buffers(links, [&] {
        return detail::neighbour_buffers{{call, "elements", elements, links.destinations().size(), counts},
                                         {call, "result", result, links.sources().size(), result_counts}};
    });
    links.exchange(call, both.out.all(), both.in.all());
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<4, Where, Given...>)
void neighbour_all_to_allv(const Where&, const Given&...)
    TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_to_allv(where, elements, counts, result, result_counts)");

} // namespace topo
