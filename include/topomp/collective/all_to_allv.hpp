// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from each rank to each rank.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>
#include <topomp/collective/gathered.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <type_traits>

namespace topo {

namespace detail {

/// @param source with counts and positions; @param result likewise
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void all_to_allv(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen);

/// Refuses a calling rank's block for itself that has two lengths, and in a checked build blocks of the
/// result that overlap. Local. @pre `require_counts` of both
void require_exchange(const hierarchy& levels, const blocks& source, const blocks& result);

/// @pre source and result were checked
template <policy Policy>
void exchange(const hierarchy& levels, const blocks& source, const blocks& result);

/// In a checked build, checks for each pair of ranks that the length sent equals the receiver's count.
/// @collective over the whole
void compare_pairs([[maybe_unused]] const hierarchy& levels, [[maybe_unused]] const blocks& source,
                   [[maybe_unused]] const blocks& result);

} // namespace detail

/// Rank r's block s becomes rank s's block r, where the blocks may be of different lengths and lie anywhere.
///
/// @param source a count for each rank, in elements of `source.type`, and where there are positions the
/// position of each block, in the same unit; without positions the blocks lie one behind the other.
/// `MPI_IN_PLACE` as data: the blocks to send are in `result`, in the places of those that come
/// @param result likewise; what is between blocks is left alone. Source and result must not overlap otherwise
/// @tparam Policy one that serves `all_to_allv`: docs/collectives.md, 'Algorithms'
/// @collective over the whole; both ranks of each pair know how many bytes go from one to the other
/// @cost pairwise: p - 1 messages to and from each rank; `flat` sends blocks of more than INT_MAX / p bytes
/// as single messages; in place, a copy of all blocks
/// @throws argument_error on the rank that sees it, before it sends anything: there is not a count and a
/// position for each rank, or its block for itself has another length in `result`. In a checked build on all
/// ranks, also if any block has two lengths, or if two blocks of `result` overlap
/// @see MPI standard, All-to-All, vector variant
template <policy Policy = automatic>
void all_to_allv(const hierarchy& levels, const blocks& source, const blocks& result, Policy = {}) {
    detail::check_own("topo::all_to_allv", levels, [&] {
        const blocks& own = source.data == MPI_IN_PLACE ? result : source;
        for (const blocks* each : {&own, &result}) {
            detail::require_counts("topo::all_to_allv", *each, levels);
            detail::require_blocks("topo::all_to_allv", *each, levels);
            detail::require_data("topo::all_to_allv", each == &result ? "result" : "source", *each, levels);
        }
        detail::require_exchange(levels, own, result);
    });
    detail::exchange<Policy>(levels, source, result);
}

template <policy Policy>
void detail::exchange(const hierarchy& levels, const blocks& source, const blocks& result) {
    const bool in_place = source.data == MPI_IN_PLACE;
    const auto chosen = select<verb::all_to_allv, Policy>(levels, 0);
    compare_pairs(levels, in_place ? result : source, result);
    const blocks to = with_positions(result);
    if (in_place) {
        check_host_memory(levels, "topo::all_to_allv", {result.data});
        const copied_blocks from{levels, to};
        return all_to_allv<only_algorithm<Policy>>(levels, from.all(), to, chosen);
    }
    const blocks from = with_positions(source);
    all_to_allv<only_algorithm<Policy>>(levels, from, to, chosen);
}

/// The same for consecutive elements, each block where the positions say.
/// @throws argument_error as above, or if blocks end behind the end of `elements` or `result`
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_to_allv(const hierarchy& levels, const Elements& elements, const integers& counts,
                 const integers& positions, Result&& result, const integers& result_counts,
                 const integers& result_positions, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::all_to_allv: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message all = detail::view_of(elements);
    const blocks from{all.data, all.type, 0, counts.view(), positions.view()},
        to{detail::data_of(result), all.type, 0, result_counts.view(), result_positions.view()};
    detail::check_own("topo::all_to_allv", levels, [&] {
        detail::require_counts("topo::all_to_allv", from, levels);
        detail::require_counts("topo::all_to_allv", to, levels);
        detail::require_room("topo::all_to_allv", "elements", from, all.count);
        detail::require_room("topo::all_to_allv", "result", to, detail::length_of(result));
        detail::require_exchange(levels, from, to);
    });
    detail::exchange<Policy>(levels, from, to);
}

/// The same, one block behind the other.
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_to_allv(const hierarchy& levels, const Elements& elements, const integers& counts, Result&& result,
                 const integers& result_counts, Policy policy = {}) {
    detail::assert_readable<Result>();
    all_to_allv(levels, elements, counts, {}, result, result_counts, {}, policy);
}

/// What every rank has for this one, how much it is and where it begins. No rank needs to know the other
/// ranks' counts.
/// @param counts how many of `elements`, which lie one behind the other, each rank gets
/// @cost as above, and an `all_to_all` of the lengths first @throws argument_error as above
template <buffer Elements, policy Policy = automatic>
auto all_to_allv(const hierarchy& levels, const Elements& elements, const integers& counts,
                 Policy policy = {}) {
    const message mine = detail::view_of(elements);
    const blocks from{mine.data, mine.type, 0, counts.view()};
    detail::check_own("topo::all_to_allv", levels, [&] {
        detail::require_counts("topo::all_to_allv", from, levels);
        detail::require_room("topo::all_to_allv", "elements", from, mine.count);
        // So large that the total received can be counted, whatever each rank contributes.
        detail::elements_of_all("topo::all_to_allv", mine.count, detail::size_of(mine.type), levels);
    });
    gathered<detail::element_value_t<Elements>> all;
    constexpr bool serves_counts = detail::serves(detail::algorithm_of<Policy>, detail::verb::all_to_all);
    all.counts = all_to_all(levels, counts, std::conditional_t<serves_counts, Policy, automatic>{});
    all.values.resize(detail::place_in_turn(all.counts, all.positions));
    all_to_allv(levels, from, blocks{all.values.data(), mine.type, 0, all.counts, all.positions}, policy);
    return all;
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_to_allv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_to_allv.ipp>
#endif
