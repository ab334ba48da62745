// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from all ranks to all ranks, in rank order, along trees that the program
/// names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/gathered.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <type_traits>

namespace topo {

namespace detail {

/// @param result with counts and positions
/// @pre the calling rank's block is in its place
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void all_gatherv(const hierarchy& levels, const blocks& result, const plan& chosen);

} // namespace detail

/// Gathers every rank's elements on every rank, where the ranks' blocks may be of different lengths and lie
/// anywhere.
///
/// @param mine this rank's block; `MPI_IN_PLACE` as data: it is in its place in `result`
/// @param result a count for each rank, in elements of `result.type`, the same on all ranks; where there are
/// positions the position of each block, in the same unit, which may be others on each rank; without
/// positions the blocks lie one behind the other. Blocks must not overlap; what is between them is left alone
/// @tparam Policy as for `all_gather`
/// @collective over the whole, with the same lengths in bytes
/// @cost as `all_gather` with blocks of the average length, but that around a ring each step lasts as long as
/// the longest block
/// @throws argument_error on the rank that sees it, before it sends anything: there is not a count and a
/// position for each rank, or `mine` has another length than its count says. In a checked build on all ranks,
/// also if blocks overlap
/// @see MPI standard, Gather-to-all, vector variant
template <policy Policy = automatic>
void all_gatherv(const hierarchy& levels, message mine, const blocks& result, Policy = {}) {
    constexpr auto call = "topo::all_gatherv";
    detail::require_open(call, levels);
    const int rank = levels.whole_rank(), ranks = levels.whole_size();
    const bool is_in_place = mine.data == MPI_IN_PLACE;
    detail::check_own(call, levels, [&] {
        detail::require_counts(call, result, levels);
        detail::require_blocks(call, result, levels);
        detail::require_apart(call, "result", result);
        detail::require_data(call, "blocks", result, levels);
        if (is_in_place) return;
        detail::require_own_bytes(call, detail::require_message(call, mine),
                                  result.count_of(rank) * detail::type_layout{result.type}.size);
        detail::require_data(call, "mine", mine);
    });
    const std::size_t bytes = detail::total_bytes(result, ranks);
    const auto chosen = detail::select<detail::verb::all_gatherv, Policy>(
        levels, bytes / static_cast<std::size_t>(ranks), !detail::has_long_block(result, bytes, ranks),
        {.lengths = detail::hash_of_lengths(result, ranks)});
    const blocks all = detail::with_positions(result);
    detail::check_host_memory(levels, call, {mine.data, result.data});
    if (!is_in_place) detail::copy_own_block(mine, all, rank);
    detail::all_gatherv<detail::only_algorithm<Policy>>(levels, all, chosen);
}

/// Gathers every rank's elements on every rank, each block where `positions` says.
/// @throws argument_error as above, or if the blocks end behind the end of `result`
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_gatherv(const hierarchy& levels, const Elements& elements, Result&& result, const integers& counts,
                 const integers& positions, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::all_gatherv: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message mine = detail::view_of(elements);
    const blocks all{detail::data_of(result), mine.type, 0, counts.view(), positions.view()};
    detail::check_own("topo::all_gatherv", levels, [&] {
        detail::require_counts("topo::all_gatherv", all, levels);
        detail::require_room("topo::all_gatherv", "result", all, detail::length_of(result));
    });
    all_gatherv(levels, mine, all, policy);
}

/// The same, one block behind the other.
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_gatherv(const hierarchy& levels, const Elements& elements, Result&& result, const integers& counts,
                 Policy policy = {}) {
    detail::assert_readable<Result>();
    all_gatherv(levels, elements, result, counts, {}, policy);
}

/// Every rank's elements, how many they are and where they begin, on every rank. No rank needs to know the
/// other ranks' counts.
/// @cost as above, and an `all_gather` of the lengths first
template <buffer Elements, policy Policy = automatic>
auto all_gatherv(const hierarchy& levels, const Elements& elements, Policy policy = {}) {
    gathered<detail::element_value_t<Elements>> all;
    const message mine = detail::view_of(elements);
    detail::check_own("topo::all_gatherv", levels,
                      [&] { // so large that the total can be counted, whatever each rank contributes
                          detail::elements_of_all("topo::all_gatherv", mine.count, detail::size_of(mine.type),
                                                  levels);
                      });
    all.counts = all_gather(levels, mine.count, policy);
    all.values.resize(detail::place_in_turn(all.counts, all.positions));
    all_gatherv(levels, mine, blocks{all.values.data(), mine.type, 0, all.counts, all.positions}, policy);
    return all;
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_gatherv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_gatherv.ipp>
#endif
