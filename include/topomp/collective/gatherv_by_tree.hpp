// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from all ranks to one, along trees that the program names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/collective/gathered.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// Gathers blocks whose lengths are known on their owners only.
/// @param result_for called on the root: `result_for(ranks, bytes of each rank's block)`
void gather_unknown(const hierarchy& levels, const message& mine,
                    function_ref<blocks(std::span<const int>, std::span<const std::size_t>)> result_for,
                    int root, const plan& chosen);

/// @param result with counts and positions on the root
void gatherv(const hierarchy& levels, const message& mine, const blocks& result, int root,
             const plan& chosen);

} // namespace detail

/// Gathers every rank's block on the root, where the blocks may be of different lengths and lie anywhere.
///
/// @param mine this rank's block; on the root `MPI_IN_PLACE` as data: it is in its place in `result`
/// @param result on the root: a count for each rank, in elements of `result.type`, and where there are
/// positions the position of each block, in the same unit; without positions the blocks lie one behind the
/// other. Blocks must not overlap; what is between them is left alone. Elsewhere not used
/// @param root a rank of the whole
/// @tparam Policy one that serves `gatherv`: docs/collectives.md, 'Algorithms'. `segmented` is without effect
/// @collective over the whole, with the same root
/// @cost as `gather`; along a tree the lengths go up first, in messages of 8 bytes for each rank below, and
/// `flat` sends blocks of more than INT_MAX / p bytes as single messages
/// @throws argument_error on the rank that sees it, before it sends anything: there is no such root, `mine`
/// is in place elsewhere than on the root, there is not a count and a position for each rank, or the root's
/// own block has another length than its count says. Along a tree also when the blocks have arrived, if
/// another rank's has; `result` is then as before. In a checked build on all ranks, always before, and also
/// if blocks overlap
/// @see MPI standard, Gather, vector variant
template <policy Policy = automatic>
void gatherv(const hierarchy& levels, message mine, blocks result, int root, Policy = {}) {
    constexpr auto call = "topo::gatherv";
    detail::require_open(call, levels);
    if (levels.whole_rank() != root) result = {};
    detail::check_own(call, levels, [&] {
        if (levels.whole_rank() == root) detail::require_counts(call, result, levels);
        detail::require_blocks_of_root(call, levels, mine, result, root);
        detail::require_apart(call, "result", result);
    });
    const auto chosen = detail::select<detail::verb::gatherv, Policy>(levels, 0, true, {.root = root});
    const blocks placed = detail::with_positions(result);
    const message own = detail::own_block(mine, placed, root);
    detail::compare_with_root(call, levels, own, placed, root);
    detail::gatherv(levels, own, placed, root, chosen);
}

/// Gathers every rank's elements on the root, each block where `positions` says; elsewhere `result`, `counts`
/// and `positions` are not used and may be empty.
/// @throws argument_error as above, or if on the root the blocks end behind the end of `result`
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void gatherv(const hierarchy& levels, const Elements& elements, Result&& result, const integers& counts,
             const integers& positions, int root, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::gatherv: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message mine = detail::view_of(elements);
    const blocks all{detail::data_of(result), mine.type, 0, counts.view(), positions.view()};
    detail::check_own("topo::gatherv", levels, [&] {
        if (levels.whole_rank() != root) return;
        detail::require_counts("topo::gatherv", all, levels);
        detail::require_room("topo::gatherv", "result", all, detail::length_of(result));
    });
    gatherv(levels, mine, all, root, policy);
}

/// The same, one block behind the other.
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void gatherv(const hierarchy& levels, const Elements& elements, Result&& result, const integers& counts,
             int root, Policy policy = {}) {
    detail::assert_readable<Result>();
    gatherv(levels, elements, result, counts, {}, root, policy);
}

/// Every rank's elements, how many they are and where they begin, on the root; nothing elsewhere. No rank
/// needs to know the other ranks' counts.
/// @cost as above; `flat` gathers the lengths first
template <buffer Elements, policy Policy = automatic>
auto gatherv(const hierarchy& levels, const Elements& elements, int root, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    const message mine = detail::view_of(elements);
    detail::check_own("topo::gatherv", levels, [&] {
        detail::require_root("topo::gatherv", root, levels);
        // So large that the total can be counted, whatever each rank contributes.
        detail::elements_of_all("topo::gatherv", mine.count, sizeof(value_type), levels);
    });
    const auto chosen = detail::select<detail::verb::gatherv, Policy>(levels, 0, true, {.root = root});
    if (chosen.uses != detail::algorithm::flat)
        detail::check_host_memory(levels, "topo::gatherv", {mine.data});
    gathered<value_type> all;
    const auto make_room = [&](std::span<const int> ranks, std::span<const std::size_t> sizes) {
        all.counts.resize(ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i)
            all.counts[static_cast<std::size_t>(ranks[i])] = sizes[i] / detail::size_of(mine.type);
        all.values.resize(detail::place_in_turn(all.counts, all.positions));
        return blocks{all.values.data(), mine.type, 0, all.counts, all.positions};
    };
    detail::gather_unknown(levels, mine, make_room, root, chosen);
    return all;
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void gatherv(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that gets the result",
                      "gatherv(levels, elements, root) or gatherv(levels, elements, result, counts, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void gatherv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/gatherv.ipp>
#endif
