// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block from each rank to each rank, nonblocking.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <type_traits>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request iall_to_all(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen);

} // namespace detail

/// Starts to make rank r's block s rank s's block r, as `all_to_all` does. Both buffers must stay where they
/// are, the source unchanged and the result unread, until the request is complete.
///
/// Local, except for the first call but with `flat`, in which the ranks exchange their places in the
/// hierarchy.
/// @param source, result as for `all_to_all`, but not in place
/// @tparam Policy as for `all_to_all`, but one with a non-blocking form
/// @collective over the whole, with the same type signature @cost as `all_to_all`
/// @see MPI standard, Nonblocking All-to-All
template <policy Policy = automatic>
request iall_to_all(const hierarchy& levels, blocks source, blocks result, Policy = {}) {
    constexpr auto call = "topo::iall_to_all";
    detail::check_own(call, levels, [&] {
        if (source.data == MPI_IN_PLACE)
            throw argument_error(
                call, "source",
                "it is MPI_IN_PLACE, which only the blocking all_to_all takes: give a buffer");
    });
    const std::size_t bytes = detail::check_all_to_all(call, levels, source, result);
    const auto chosen = detail::select_in_background<detail::verb::all_to_all, Policy>(
        levels, bytes, true, {.call = call, .data = result.block_of(0)});
    return detail::iall_to_all<detail::only_algorithm<Policy>>(levels, source, result, chosen);
}

/// The same for consecutive elements, as many to each rank. @throws argument_error as `all_to_all`
template <buffer Elements, writable_buffer Result, policy Policy = automatic>
request iall_to_all(const hierarchy& levels, Elements&& elements, Result&& result, Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::iall_to_all: elements and result must be of one type");
    detail::assert_outlives<Elements, Result>();
    const message mine = detail::view_of(elements);
    const std::size_t each =
        detail::check_all_to_all("topo::iall_to_all", levels, mine.count, detail::length_of(result));
    request started = iall_to_all(levels, blocks{mine.data, mine.type, each},
                                  blocks{detail::data_of(result), mine.type, each}, policy);
    detail::at_once::watch_in("topo::iall_to_all", levels, started, elements, result);
    return started;
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<2, Given...> request iall_to_all(const hierarchy&, const Given&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iall_to_all(levels, elements, result)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_to_all(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/iall_to_all.ipp>
#endif
