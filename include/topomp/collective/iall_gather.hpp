// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of all ranks to all ranks, nonblocking.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// @pre the calling rank's block is in its place
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request iall_gather(const hierarchy& levels, const blocks& result, const plan& chosen);

} // namespace detail

/// Starts to gather every rank's elements on every rank, as `all_gather` does. `mine` is copied at once;
/// `result` must stay where it is, unread, until the request is complete.
///
/// Local, except for the first call with each policy, in which the ranks exchange their places in the
/// hierarchy.
/// @param mine, result as for `all_gather`
/// @tparam Policy as for `all_gather`, but one with a non-blocking form
/// @collective over the whole, with the same type signature @cost as `all_gather`
/// @see MPI standard, Nonblocking Gather-to-all
template <policy Policy = automatic>
request iall_gather(const hierarchy& levels, message mine, blocks result, Policy = {}) {
    constexpr auto call = "topo::iall_gather";
    const std::size_t bytes = detail::check_all_gather(call, levels, mine, result);
    const auto chosen = detail::select_in_background<detail::verb::all_gather, Policy>(
        levels, bytes, true, {.call = call, .data = {nullptr, result.count, result.type}});
    detail::check_host_memory(levels, "topo::iall_gather", {mine.data, result.data});
    if (mine.data != MPI_IN_PLACE) detail::copy_own_block(mine, result, levels.whole_rank());
    return detail::iall_gather<detail::only_algorithm<Policy>>(levels, result, chosen);
}

/// The same for consecutive elements; all ranks give as many.
/// @throws argument_error if `result` does not hold exactly all of them
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
request iall_gather(const hierarchy& levels, const Elements& elements, Result&& result, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::iall_gather: elements and result must be of one type");
    detail::assert_outlives<Result>();
    const std::size_t count = detail::length_of(elements);
    detail::check_all_gather("topo::iall_gather", levels, count, detail::length_of(result));
    const auto type = detail::datatype_of<value_type>();
    request started =
        iall_gather(levels, detail::view_of(elements), blocks{detail::data_of(result), type, count}, policy);
    detail::at_once::watch_in("topo::iall_gather", levels, started, result);
    return started;
}

/// The same for one value of each rank; `result` is resized if it is a vector.
template <single_value T, writable_buffer Result, policy Policy = automatic>
request iall_gather(const hierarchy& levels, const T& value, Result&& result, Policy policy = {}) {
    detail::require_open("topo::iall_gather", levels);
    detail::resize(result, static_cast<std::size_t>(levels.whole_size()));
    return iall_gather(levels, std::span<const T>{&value, 1}, std::forward<Result>(result), policy);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<2, Given...> request iall_gather(const hierarchy&, const Given&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iall_gather(levels, elements, result)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_gather(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/iall_gather.ipp>
#endif
