// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of one length from all ranks to one.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// @tparam Only `only_way` of the policy
template <way Only = way::any>
void gather(const hierarchy& tree, const message& mine, const blocks& result, int root,
            const selection& chosen);

} // namespace detail

/// Gathers every rank's block on the root: rank r's is the root's block r, whatever the placement.
///
/// ```
///   rank 0: a b    rank 1: c d    rank 2: e f        root: a b c d e f
/// ```
/// @param mine this rank's block, which may have a derived datatype, whose gaps in `result` are left alone;
/// on the root `MPI_IN_PLACE` as data: it is in its place in `result`
/// @param result on the root: blocks of `count` elements, one behind the other, which may have another
/// datatype with the same data; elsewhere not used
/// @param root a rank of the whole
/// @tparam Policy `automatic`, a shape, `per_level` or `flat`. `segmented` is accepted and cuts nothing:
/// blocks go up the tree whole
/// @collective over the whole, with the same root and type signature
/// @cost of a tree of depth D: D messages on the longest path, each with all blocks below it. A rank that is
/// neither root nor leaf keeps memory for the blocks below it; the root too, for those that do not arrive in
/// the order of ranks. `flat` sends blocks that pass the range of int together to the root by itself
/// @throws argument_error on the rank that sees it, before it sends anything: there is no such root, `mine`
/// is in place elsewhere than on the root, the root's own block is longer or shorter than the others of
/// `result`
/// @see MPI standard, Gather
template <policy Policy = automatic>
void gather(const hierarchy& tree, message mine, blocks result, int root, Policy = {}) {
    detail::check_own(tree, [&] {
        if (tree.whole().rank() == root) detail::require_equal_blocks("topo::gather", result);
        detail::require_blocks_of_root("topo::gather", tree, mine, result, root);
    });
    const message own = detail::own_block(mine, result, root);
    const auto chosen = detail::select<detail::verb::gather, Policy>(tree, detail::bytes_of(own), true,
                                                                     {.root = root, .data = own});
    detail::gather<detail::only_way<Policy>>(tree, own, result, root, chosen);
}

/// Gathers every rank's elements on the root; all give as many. On the root they may lie in their place in
/// `result` already; elsewhere `result` is not used and may be empty.
/// @throws argument_error as above, or if `result` on the root has not exactly room for all
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void gather(const hierarchy& tree, const Elements& elements, Result&& result, int root, Policy policy = {}) {
    using value_type = std::ranges::range_value_t<Elements>;
    static_assert(std::is_same_v<value_type, std::ranges::range_value_t<Result>>,
                  "topo::gather: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message mine = detail::view_of(elements);
    detail::check_own(tree, [&] {
        if (tree.whole().rank() == root)
            detail::require_block_each("topo::gather", "result", std::ranges::size(result), mine.count, tree);
    });
    gather(tree, mine, blocks{std::ranges::data(result), mine.type, mine.count}, root, policy);
}

/// Gathers a value of every rank on the root, in `result`, which is resized there if it is a vector.
template <single_value T, writable_buffer Result, policy Policy = automatic>
void gather(const hierarchy& tree, const T& value, Result&& result, int root, Policy policy = {}) {
    detail::assert_readable<Result>();
    if (tree.whole().rank() == root) detail::resize(result, static_cast<std::size_t>(tree.whole().size()));
    gather(tree, std::span<const T>{&value, 1}, result, root, policy);
}

/// Every rank's elements, in the order of ranks, on the root; nothing elsewhere. All give as many.
template <buffer Elements, policy Policy = automatic>
auto gather(const hierarchy& tree, const Elements& elements, int root, Policy policy = {}) {
    using value_type = std::ranges::range_value_t<Elements>;
    std::vector<value_type> all;
    detail::check_own(tree, [&] {
        const std::size_t count =
            detail::elements_of_all("topo::gather", std::ranges::size(elements), sizeof(value_type), tree);
        if (tree.whole().rank() == root) all.resize(count);
    });
    gather(tree, elements, all, root, policy);
    return all;
}

/// Every rank's value, in the order of ranks, on the root; nothing elsewhere.
template <single_value T, policy Policy = automatic>
std::vector<T> gather(const hierarchy& tree, const T& value, int root, Policy policy = {}) {
    return gather(tree, std::span<const T>{&value, 1}, root, policy);
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/gather.ipp>
#endif
