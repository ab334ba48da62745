// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's blocks of different lengths to everybody, in the order of ranks.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/native_exchanges.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/block_arguments.hpp>
#include <topomp/collective/gathered.hpp>
#include <topomp/collective/kept_blocks.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

#include <climits>

#include <cstddef>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// @param result with counts and positions @param bytes of all blocks
/// @pre the calling rank's block is in its place
inline void all_gatherv(const hierarchy& tree, const blocks& result, std::size_t bytes,
                        const selection& chosen) {
    if (chosen.how != way::flat) return all_gather(tree, result, chosen);
    // What MPI's calls cannot count, which all ranks see alike, goes around a ring.
    if (bytes > INT_MAX) return all_gather(tree, result, {way::ring, {}});
    team& ranks = team::of(tree);
    flat_all_gatherv(ranks, result, {INT_MAX, INT_MAX});
}

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
/// position for each rank, or `mine` has another length than its count says
/// @see MPI standard, Gather-to-all, vector variant
template <class Policy = automatic>
void all_gatherv(const hierarchy& tree, message mine, blocks result, Policy = {}) {
    detail::require_counts("topo::all_gatherv", result, tree);
    const int rank = tree.whole().rank(), ranks = tree.whole().size();
    if (mine.data != MPI_IN_PLACE)
        detail::require_own_bytes("topo::all_gatherv", detail::bytes_of(mine),
                                  result.count_of(rank) * detail::type_layout{result.type}.size);
    const detail::settled_blocks placed{detail::team::of(tree), result};
    const blocks& all = placed.all();
    detail::cell temporary;
    if (mine.data != MPI_IN_PLACE) detail::copy_block(mine, all.block_of(rank), temporary);
    const std::size_t bytes = detail::total_bytes(all, ranks);
    detail::all_gatherv(
        tree, all, bytes,
        detail::select<detail::verb::all_gatherv, Policy>(tree, bytes / static_cast<std::size_t>(ranks), true,
                                                          {.lengths = detail::hash_of_lengths(all, ranks)}));
}

/// Gathers every rank's elements on every rank, each block where `positions` says.
/// @throws argument_error as above, or if the blocks end behind the end of `result`
template <buffer Elements, writable_buffer Result, class Policy = automatic>
void all_gatherv(const hierarchy& tree, const Elements& elements, Result&& result,
                 std::span<const std::size_t> counts, std::span<const std::size_t> positions,
                 Policy policy = {}) {
    using value_type = std::ranges::range_value_t<Elements>;
    static_assert(std::is_same_v<value_type, std::ranges::range_value_t<Result>>,
                  "topo::all_gatherv: elements and result must be of one type");
    const message mine = detail::view_of(elements);
    const blocks all{std::ranges::data(result), mine.type, 0, counts, positions};
    detail::require_counts("topo::all_gatherv", all, tree);
    detail::require_room("topo::all_gatherv", "result", all, std::ranges::size(result));
    all_gatherv(tree, mine, all, policy);
}

/// The same, one block behind the other.
template <buffer Elements, writable_buffer Result, class Policy = automatic>
    requires(!buffer<Policy>)
void all_gatherv(const hierarchy& tree, const Elements& elements, Result&& result,
                 std::span<const std::size_t> counts, Policy policy = {}) {
    all_gatherv(tree, elements, result, counts, std::span<const std::size_t>{}, policy);
}

/// Every rank's elements, how many they are and where they begin, on every rank. Nobody needs to know how
/// many the others have.
/// @cost as above, and an `all_gather` of the lengths first
template <buffer Elements, class Policy = automatic>
    requires(!buffer<Policy>)
auto all_gatherv(const hierarchy& tree, const Elements& elements, Policy policy = {}) {
    gathered<std::remove_cv_t<std::ranges::range_value_t<Elements>>> all;
    const message mine = detail::view_of(elements);
    all.counts = all_gather(tree, mine.count, policy);
    all.positions.resize(all.counts.size());
    std::exclusive_scan(all.counts.begin(), all.counts.end(), all.positions.begin(), std::size_t{0});
    all.values.resize(all.positions.back() + all.counts.back());
    all_gatherv(tree, mine, blocks{all.values.data(), mine.type, 0, all.counts, all.positions}, policy);
    return all;
}

} // namespace topo
