// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block from each rank to each rank.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void all_to_all(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen);

/// Checks blocks of one length. @return bytes of each
std::size_t check_all_to_all(std::string_view call, const hierarchy& levels, const blocks& source,
                             const blocks& result);

/// The same of elements and their result. @return elements for each rank
std::size_t check_all_to_all(std::string_view call, const hierarchy& levels, std::size_t elements,
                             std::size_t result);

} // namespace detail

/// Rank r's block s becomes rank s's block r.
///
/// @param source blocks of the same length, one for each rank; `MPI_IN_PLACE` as data: those in `result`
/// @param result likewise; they must not overlap
/// @tparam Policy one that serves `all_to_all`: docs/collectives.md, 'Algorithms'. `k_ary_recursive_doubling`
/// is the same as `bruck` if the number of ranks has a large prime factor
/// @collective over the whole, with the same type signature @cost pairwise: p - 1 messages to and from each
/// rank; Bruck's: log2 p messages of half of all blocks;
/// in rounds of k ranks: k - 1 messages of 1/k of all blocks each; node-aggregated: one message from a node
/// to another, or one from each rank to a node; in place, a copy of all blocks
/// @see MPI standard, All-to-All
template <policy Policy = automatic>
void all_to_all(const hierarchy& levels, blocks source, blocks result, Policy = {}) {
    const std::size_t bytes = detail::check_all_to_all("topo::all_to_all", levels, source, result);
    const auto chosen =
        detail::select<detail::verb::all_to_all, Policy>(levels, bytes, true, {.data = result.block_of(0)});
    if (source.data != MPI_IN_PLACE)
        return detail::all_to_all<detail::only_algorithm<Policy>>(levels, source, result, chosen);
    detail::check_host_memory(levels, "topo::all_to_all", {result.data});
    const detail::copied_blocks copy{levels, result};
    detail::all_to_all<detail::only_algorithm<Policy>>(levels, copy.all(), result, chosen);
}

/// The same for consecutive elements, as many to each rank. @throws argument_error if the size of `elements`
/// is not a multiple of the number of ranks, or that of `result` another
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_to_all(const hierarchy& levels, const Elements& elements, Result&& result, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::all_to_all: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message mine = detail::view_of(elements);
    const std::size_t each =
        detail::check_all_to_all("topo::all_to_all", levels, mine.count, detail::length_of(result));
    all_to_all(levels, blocks{mine.data, mine.type, each}, blocks{detail::data_of(result), mine.type, each},
               policy);
}

/// What every rank has for this one, in the order of ranks.
template <buffer Elements, policy Policy = automatic>
auto all_to_all(const hierarchy& levels, const Elements& elements, Policy policy = {}) {
    std::vector<detail::element_value_t<Elements>> result(detail::length_of(elements));
    all_to_all(levels, elements, result, policy);
    return result;
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_to_all(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_to_all.ipp>
#endif
