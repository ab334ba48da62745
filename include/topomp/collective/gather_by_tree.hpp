// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of one length from all ranks to one, along trees that the program names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void gather(const hierarchy& levels, const message& mine, const blocks& result, int root, const plan& chosen);

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
/// @tparam Policy one that serves `gather`: docs/collectives.md, 'Algorithms'. With `segmented` too, blocks
/// go up the tree whole
/// @collective over the whole, with the same root and type signature
/// @cost of a tree of depth D: D messages on the longest path, each with all blocks below it. An inner rank
/// of the tree needs memory for the blocks below it; the root needs memory for those that do not arrive in
/// rank order. If all blocks together exceed the range of int, `flat` sends each of them to the root as a
/// message of its own
/// @throws argument_error on the rank that sees it, before it sends anything: there is no such root, `mine`
/// is in place elsewhere than on the root, the root's own block is longer or shorter than the others of
/// `result`
/// @see MPI standard, Gather
template <policy Policy = automatic>
void gather(const hierarchy& levels, message mine, blocks result, int root, Policy = {}) {
    detail::check_own("topo::gather", levels, [&] {
        if (levels.whole_rank() == root) detail::require_equal_blocks("topo::gather", result);
        detail::require_blocks_of_root("topo::gather", levels, mine, result, root);
        if (levels.whole_rank() != root) detail::require_block_of_all("topo::gather", mine, levels);
    });
    const message own = detail::own_block(mine, result, root);
    const auto chosen = detail::select<detail::verb::gather, Policy>(levels, detail::bytes_of(own), true,
                                                                     {.root = root, .data = own});
    detail::gather<detail::only_algorithm<Policy>>(levels, own, result, root, chosen);
}

/// Gathers every rank's elements on the root; all give as many. On the root they may lie in their place in
/// `result` already; elsewhere `result` is not used and may be empty.
/// @throws argument_error as above, or if `result` on the root does not hold exactly all elements
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void gather(const hierarchy& levels, const Elements& elements, Result&& result, int root,
            Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::gather: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message mine = detail::view_of(elements);
    detail::check_own("topo::gather", levels, [&] {
        if (levels.whole_rank() == root)
            detail::require_block_each("topo::gather", "result", detail::length_of(result), mine.count,
                                       levels);
    });
    gather(levels, mine, blocks{detail::data_of(result), mine.type, mine.count}, root, policy);
}

/// Gathers a value of every rank on the root, in `result`, which is resized there if it is a vector.
template <single_value T, writable_buffer Result, policy Policy = automatic>
void gather(const hierarchy& levels, const T& value, Result&& result, int root, Policy policy = {}) {
    detail::assert_readable<Result>();
    detail::require_open("topo::gather", levels);
    if (levels.whole_rank() == root) detail::resize(result, static_cast<std::size_t>(levels.whole_size()));
    gather(levels, std::span<const T>{&value, 1}, result, root, policy);
}

/// Every rank's elements, in the order of ranks, on the root; nothing elsewhere. All ranks give equally many.
template <buffer Elements, policy Policy = automatic>
auto gather(const hierarchy& levels, const Elements& elements, int root, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    detail::assert_no_bits<value_type>();
    std::vector<value_type> all;
    detail::check_own("topo::gather", levels, [&] {
        const std::size_t count =
            detail::elements_of_all("topo::gather", detail::length_of(elements), sizeof(value_type), levels);
        if (levels.whole_rank() == root) all.resize(count);
    });
    gather(levels, elements, all, root, policy);
    return all;
}

/// Every rank's value, in the order of ranks, on the root; nothing elsewhere.
template <single_value T, policy Policy = automatic>
std::vector<T> gather(const hierarchy& levels, const T& value, int root, Policy policy = {}) {
    return gather(levels, std::span<const T>{&value, 1}, root, policy);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void gather(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that gets the result",
                      "gather(levels, elements, root) or gather(levels, elements, result, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void gather(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/gather.ipp>
#endif
