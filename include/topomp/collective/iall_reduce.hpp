// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on every rank, nonblocking.
#pragma once

#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request iall_reduce(const hierarchy& levels, const void* input, const message& result, combination combiner,
                    const plan& wanted);

} // namespace detail

/// Starts to combine the ranks' elements into `result` on every rank, as `all_reduce` does. Both must stay
/// where they are, the operands unchanged and the result unread, until the request is complete.
///
/// Local, except for the first collective of a hierarchy, and the first with an operation that is not
/// commutative.
/// @param input, result, op as for `all_reduce`
/// @tparam Policy as for `all_reduce`, but one with a non-blocking form
/// @collective over the whole, with the same operation and type signature @cost as `all_reduce`
/// @throws argument_error as `all_reduce` @see MPI standard, Nonblocking All-Reduce
template <policy Policy = automatic>
request iall_reduce(const hierarchy& levels, const void* input, message result, MPI_Op op, Policy = {}) {
    constexpr auto call = "topo::iall_reduce";
    const auto [combiner, bytes] =
        detail::check_own(call, levels, [&] { return detail::require_operands(call, input, result, op); });
    return detail::iall_reduce<detail::only_algorithm<Policy>>(
        levels, input == MPI_IN_PLACE ? result.data : input, result, combiner,
        detail::select_in_background<detail::verb::all_reduce, Policy>(
            levels, bytes, combiner.is_commutative, {.call = call, .op = op, .data = result}));
}

/// The same for consecutive elements. @throws argument_error as above, or if the sizes differ
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
request iall_reduce(const hierarchy& levels, Elements&& elements, Result&& result, Op op, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::iall_reduce: elements and result must be of one type");
    detail::assert_outlives<Elements, Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const message what = detail::message_of(result);
    constexpr auto call = "topo::iall_reduce";
    const auto [combiner, bytes] = detail::check_own(call, levels, [&] {
        return detail::require_operands<value_type>(call, op, true, detail::length_of(elements), what.count,
                                                    detail::data_of(elements), detail::data_of(result));
    });
    request started = detail::iall_reduce<detail::only_algorithm<Policy>>(
        levels, detail::data_of(elements), what, combiner,
        detail::select_in_background<detail::verb::all_reduce, Policy>(
            levels, bytes, combiner.is_commutative, {.call = call, .op = combiner.op, .data = what}));
    detail::at_once::watch_in(call, levels, started, elements, result);
    return started;
}

/// The same for one value of each rank.
template <class T, single_value Result, class Op, policy Policy = automatic>
    requires std::is_same_v<std::remove_cvref_t<T>, Result>
        request iall_reduce(const hierarchy& levels, T&& value, Result& result, Op op, Policy policy = {}) {
        detail::assert_outlives<T>();
        return iall_reduce(levels, std::span<const Result>{&value, 1}, std::span<Result>{&result, 1}, op,
                           policy);
    }

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> request iall_reduce(const hierarchy&, const Given&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iall_reduce(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_reduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/iall_reduce.ipp>
#endif
