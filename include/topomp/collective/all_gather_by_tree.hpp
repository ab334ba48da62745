// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of all ranks to all ranks, in rank order, along trees that the program names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// Checks blocks of one length. @return bytes of each
std::size_t check_all_gather(std::string_view call, const hierarchy& levels, const message& mine,
                             const blocks& result);

/// The same of elements and their result.
void check_all_gather(std::string_view call, const hierarchy& levels, std::size_t elements,
                      std::size_t result);

/// @pre the calling rank's block is in its place
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void all_gather(const hierarchy& levels, const blocks& result, const plan& chosen);

} // namespace detail

/// Gathers every rank's elements on every rank: rank r's are `result`'s block r, whatever the placement.
///
/// @param mine this rank's elements; `MPI_IN_PLACE` as data: those in its block of `result`
/// @param result blocks of the same length, one behind the other
/// @tparam Policy one that serves `all_gather`: docs/collectives.md, 'Algorithms'
/// @collective over the whole, with the same type signature
/// @cost ring: p - 1 transfers of a block; neighbour exchange: p / 2 of two; Bruck: log2 p transfers of up to
/// p / 2 blocks; tree of depth D: a gather and a broadcast @see MPI standard, Gather-to-all
template <policy Policy = automatic>
void all_gather(const hierarchy& levels, message mine, blocks result, Policy = {}) {
    const std::size_t bytes = detail::check_all_gather("topo::all_gather", levels, mine, result);
    const auto chosen = detail::select<detail::verb::all_gather, Policy>(
        levels, bytes, true, {.data = {nullptr, result.count, result.type}});
    detail::check_host_memory(levels, "topo::all_gather", {mine.data, result.data});
    if (mine.data != MPI_IN_PLACE) detail::copy_own_block(mine, result, levels.whole_rank());
    detail::all_gather<detail::only_algorithm<Policy>>(levels, result, chosen);
}

/// Gathers every rank's elements on every rank; all ranks give equally many. @pre `result` holds all of them
/// @throws argument_error if `result` has another size
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_gather(const hierarchy& levels, const Elements& elements, Result&& result, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::all_gather: elements and result must be of one type");
    detail::assert_readable<Result>();
    const std::size_t count = detail::length_of(elements);
    detail::check_all_gather("topo::all_gather", levels, count, detail::length_of(result));
    const auto type = detail::datatype_of<value_type>();
    all_gather(levels, detail::view_of(elements), blocks{detail::data_of(result), type, count}, policy);
}

/// Gathers a value of every rank on every rank, in `result`, which is resized if it is a vector.
template <single_value T, writable_buffer Result, policy Policy = automatic>
void all_gather(const hierarchy& levels, const T& value, Result&& result, Policy policy = {}) {
    detail::assert_readable<Result>();
    detail::require_open("topo::all_gather", levels);
    detail::resize(result, static_cast<std::size_t>(levels.whole_size()));
    all_gather(levels, std::span<const T>{&value, 1}, result, policy);
}

/// Every rank's elements, in the order of ranks, on every rank.
template <buffer Elements, policy Policy = automatic>
auto all_gather(const hierarchy& levels, const Elements& elements, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    detail::assert_no_bits<value_type>();
    auto all = detail::check_own("topo::all_gather", levels, [&] {
        return std::vector<value_type>(detail::elements_of_all(
            "topo::all_gather", detail::length_of(elements), sizeof(value_type), levels));
    });
    all_gather(levels, elements, all, policy);
    return all;
}

/// Every rank's value, in the order of ranks, on every rank.
template <single_value T, policy Policy = automatic>
std::vector<T> all_gather(const hierarchy& levels, const T& value, Policy policy = {}) {
    return all_gather(levels, std::span<const T>{&value, 1}, policy);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_gather(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_gather.ipp>
#endif
