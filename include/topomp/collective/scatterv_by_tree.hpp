// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from one rank to all, along trees that the program names.
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

/// Scatters blocks whose lengths are known on the root only.
/// @param source with counts and positions on the root
/// @param mine_for called on every rank: `mine_for(bytes of its block)`
void scatter_unknown(const hierarchy& levels, const blocks& source,
                     function_ref<message(std::size_t)> mine_for, int root, const plan& chosen);

/// @param source with counts and positions on the root
void scatterv(const hierarchy& levels, const blocks& source, const message& mine, int root,
              const plan& chosen);

/// Scatters blocks to ranks that do not know their block's length.
template <class T, class Policy>
std::vector<T> scatter_to_vector(const hierarchy& levels, std::span<const T> elements, const integers& counts,
                                 const integers& positions, int root) {
    constexpr auto call = "topo::scatterv";
    const message all = view_of(elements);
    require_open(call, levels);
    const bool is_root = levels.whole_rank() == root;
    const blocks source = is_root ? blocks{all.data, all.type, 0, counts.view(), positions.view()} : blocks{};
    check_own(call, levels, [&] {
        require_root(call, root, levels);
        if (!is_root) return;
        require_counts(call, source, levels);
        require_room(call, "elements", source, all.count);
        require_blocks(call, source, levels);
        require_apart(call, "source", source);
    });
    const auto chosen = select<verb::scatterv, Policy>(levels, 0, true, {.root = root});
    if (chosen.uses != algorithm::flat) check_host_memory(levels, call, {all.data});
    std::vector<T> mine;
    const auto make_room = [&](std::size_t bytes) {
        mine.resize(bytes / size_of(all.type));
        return message_of(mine);
    };
    const blocks placed = with_positions(source);
    scatter_unknown(levels, placed, make_room, root, chosen);
    return mine;
}

} // namespace detail

/// Scatters the root's blocks, which may be of different lengths and lie anywhere, to their owners.
///
/// @param source on the root: a count for each rank, in elements of `source.type`, and where there are
/// positions the position of each block, in the same unit; without positions the blocks lie one behind the
/// other. Blocks must not overlap, as MPI demands. Elsewhere not used
/// @param mine where this rank's block goes, as long as the root's count for it; on the root `MPI_IN_PLACE`
/// as data: its block stays where it is
/// @param root a rank of the whole
/// @tparam Policy one that serves `scatterv`: docs/collectives.md, 'Algorithms'. `segmented` is without
/// effect
/// @collective over the whole, with the same root @cost as `gatherv`, in the reverse direction
/// @throws argument_error on the rank that sees it, before it sends anything: there is no such root, `mine`
/// is in place elsewhere than on the root, there is not a count and a position for each rank, or the root's
/// own block has another length than its count says. Along a tree also when everything has been passed on, if
/// another rank's `mine` has; it is then as before. In a checked build on all ranks, always before, and also
/// if blocks overlap
/// @see MPI standard, Scatter, vector variant
template <policy Policy = automatic>
void scatterv(const hierarchy& levels, blocks source, message mine, int root, Policy = {}) {
    constexpr auto call = "topo::scatterv";
    detail::require_open(call, levels);
    if (levels.whole_rank() != root) source = {};
    detail::check_own(call, levels, [&] {
        if (levels.whole_rank() == root) detail::require_counts(call, source, levels);
        detail::require_blocks_of_root(call, levels, mine, source, root);
        detail::require_apart(call, "source", source);
    });
    const auto chosen = detail::select<detail::verb::scatterv, Policy>(levels, 0, true, {.root = root});
    const blocks placed = detail::with_positions(source);
    const message own = detail::own_block(mine, placed, root);
    detail::compare_with_root(call, levels, own, placed, root);
    detail::scatterv(levels, placed, own, root, chosen);
}

/// Scatters the root's elements into every rank's `mine`; elsewhere `elements`, `counts` and `positions` are
/// not used and may be empty.
/// @throws argument_error as above, or if on the root the blocks end behind the end of `elements`
template <buffer Elements, writable_buffer Mine, policy Policy = automatic>
void scatterv(const hierarchy& levels, const Elements& elements, const integers& counts,
              const integers& positions, Mine&& mine, int root, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Mine>>,
                  "topo::scatterv: elements and mine must be of one type");
    detail::assert_readable<Mine>();
    const message all = detail::view_of(elements);
    const blocks source{all.data, all.type, 0, counts.view(), positions.view()};
    detail::check_own("topo::scatterv", levels, [&] {
        if (levels.whole_rank() != root) return;
        detail::require_counts("topo::scatterv", source, levels);
        detail::require_room("topo::scatterv", "elements", source, all.count);
    });
    scatterv(levels, source, detail::message_of(mine), root, policy);
}

/// The same, one block behind the other.
template <buffer Elements, writable_buffer Mine, policy Policy = automatic>
void scatterv(const hierarchy& levels, const Elements& elements, const integers& counts, Mine&& mine,
              int root, Policy policy = {}) {
    detail::assert_readable<Mine>();
    scatterv(levels, elements, counts, {}, mine, root, policy);
}

/// The same for a rank that is not the root, and has nothing to scatter.
template <writable_buffer Mine, policy Policy = automatic>
void scatterv(const hierarchy& levels, Mine&& mine, int root, Policy policy = {}) {
    detail::assert_readable<Mine>();
    scatterv(levels, std::span<const detail::element_value_t<Mine>>{}, {}, mine, root, policy);
}

/// The calling rank's block of what `gatherv` gives, or of what is laid out like it. Only the root needs to
/// know how long the blocks are; elsewhere `all` is not used and may be empty.
/// @cost as above; `flat` scatters the lengths first
template <mpi_datatype T, policy Policy = automatic>
std::vector<T> scatterv(const hierarchy& levels, const gathered<T>& all, int root, Policy = {}) {
    return detail::scatter_to_vector<T, Policy>(levels, all.values, all.counts, all.positions, root);
}

/// The calling rank's block of the root's elements, which lie one behind the other. Only the root needs to
/// know how long the blocks are; elsewhere `elements` and `counts` are not used and may be empty.
/// @cost as above; `flat` scatters the lengths first
template <buffer Elements, policy Policy = automatic>
auto scatterv(const hierarchy& levels, const Elements& elements, const integers& counts, int root,
              Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    return detail::scatter_to_vector<value_type, Policy>(levels, elements, counts, {}, root);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...>
void scatterv(const hierarchy&, const Given&...) TOPOMP_NEEDS_ROOT(
    "that has all blocks",
    "scatterv(levels, elements, counts, root) or scatterv(levels, elements, counts, mine, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scatterv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scatterv.ipp>
#endif
