// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of one length from one rank to all, along trees that the program names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void scatter(const hierarchy& levels, const blocks& source, const message& mine, int root,
             const plan& chosen);

} // namespace detail

/// Scatters the root's blocks: rank r gets block r, whatever the placement.
///
/// ```
///   root: a b c d e f        rank 0: a b    rank 1: c d    rank 2: e f
/// ```
/// @param source on the root: blocks of `count` elements, one behind the other; elsewhere not used
/// @param mine where this rank's block goes, which may have another datatype with the same data, whose gaps
/// are left alone; on the root `MPI_IN_PLACE` as data: its block stays where it is
/// @param root a rank of the whole
/// @tparam Policy one that serves `scatter`: docs/collectives.md, 'Algorithms'. With `segmented` too, blocks
/// go down the tree whole
/// @collective over the whole, with the same root and type signature
/// @cost as `gather`, in the reverse direction
/// @throws argument_error on the rank that sees it, before it sends anything: there is no such root, `mine`
/// is in place elsewhere than on the root, or longer or shorter than the root's own block
/// @see MPI standard, Scatter
template <policy Policy = automatic>
void scatter(const hierarchy& levels, blocks source, message mine, int root, Policy = {}) {
    detail::check_own("topo::scatter", levels, [&] {
        if (levels.whole_rank() == root) detail::require_equal_blocks("topo::scatter", source);
        detail::require_blocks_of_root("topo::scatter", levels, mine, source, root);
        if (levels.whole_rank() != root) detail::require_block_of_all("topo::scatter", mine, levels);
    });
    const message own = detail::own_block(mine, source, root);
    const auto chosen = detail::select<detail::verb::scatter, Policy>(levels, detail::bytes_of(own), true,
                                                                      {.root = root, .data = own});
    detail::scatter<detail::only_algorithm<Policy>>(levels, source, own, root, chosen);
}

/// Scatters the root's elements into every rank's `mine`, which has the same size everywhere. On the root
/// `mine` may be its block of `elements`; elsewhere `elements` is not used and may be empty.
/// @throws argument_error as above, or if `elements` on the root is not exactly as long as all ranks' `mine`
template <buffer Elements, writable_buffer Mine, policy Policy = automatic>
void scatter(const hierarchy& levels, const Elements& elements, Mine&& mine, int root, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Mine>>,
                  "topo::scatter: elements and mine must be of one type");
    detail::assert_readable<Mine>();
    const message block = detail::message_of(mine);
    const message all = detail::view_of(elements);
    detail::check_own("topo::scatter", levels, [&] {
        if (levels.whole_rank() == root)
            detail::require_block_each("topo::scatter", "elements", all.count, block.count, levels);
    });
    scatter(levels, blocks{all.data, all.type, block.count}, block, root, policy);
}

/// Scatters a value to every rank, in `mine`.
template <buffer Elements, single_value T, policy Policy = automatic>
void scatter(const hierarchy& levels, const Elements& elements, T& mine, int root, Policy policy = {}) {
    scatter(levels, elements, std::span<T>{&mine, 1}, root, policy);
}

/// The same for a rank that is not the root, and has nothing to scatter.
template <single_value T, policy Policy = automatic>
void scatter(const hierarchy& levels, T& mine, int root, Policy policy = {}) {
    scatter(levels, std::span<const T>{}, mine, root, policy);
}

/// The calling rank's value of the root's: as many as ranks there, ignored elsewhere.
template <buffer Elements, policy Policy = automatic>
auto scatter(const hierarchy& levels, const Elements& elements, int root, Policy policy = {}) {
    detail::element_value_t<Elements> mine{};
    scatter(levels, elements, mine, root, policy);
    return mine;
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void scatter(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that has all blocks",
                      "scatter(levels, elements, root) or scatter(levels, elements, mine, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scatter(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scatter.ipp>
#endif
