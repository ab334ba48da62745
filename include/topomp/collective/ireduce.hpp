// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on one rank, nonblocking.
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
request ireduce(const hierarchy& levels, const void* input, const message& result, combination combiner,
                int root, const plan& wanted);

} // namespace detail

/// Starts to combine the ranks' elements into `result` on the root, as `reduce` does. Both must stay where
/// they are, the operands unchanged and the result unread, until the request is complete.
///
/// Local, except for the first collective of a hierarchy, and the first with an operation that is not
/// commutative: if no blocking verb has used this root before, the result goes through rank 0, which then
/// needs memory for it. @param input, result, op, root as for `reduce`
/// @tparam Policy as for `reduce`, but one with a non-blocking form
/// @collective over the whole, with the same root, operation and type signature @cost as `reduce`
/// @throws argument_error as `reduce` @see MPI standard, Nonblocking Reduce
template <policy Policy = automatic>
request ireduce(const hierarchy& levels, const void* input, message result, MPI_Op op, int root,
                Policy = {}) {
    constexpr auto call = "topo::ireduce";
    const auto [combiner, bytes] = detail::check_own(call, levels, [&] {
        detail::require_root(call, root, levels);
        return detail::require_operands(call, input, result, op, levels.whole_rank() == root);
    });
    return detail::ireduce<detail::only_algorithm<Policy>>(
        levels, input == MPI_IN_PLACE ? result.data : input, result, combiner, root,
        detail::select_in_background<detail::verb::reduce, Policy>(
            levels, bytes, combiner.is_commutative, {.call = call, .root = root, .op = op, .data = result}));
}

/// The same for consecutive elements; elsewhere than on the root `result` is not touched and may be empty.
/// @throws argument_error as above, or if on the root the sizes differ
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
request ireduce(const hierarchy& levels, Elements&& elements, Result&& result, Op op, int root, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::ireduce: elements and result must be of one type");
    detail::assert_outlives<Elements, Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const std::size_t count = detail::length_of(elements);
    constexpr auto call = "topo::ireduce";
    const auto [combiner, bytes] = detail::check_own(call, levels, [&] {
        detail::require_root(call, root, levels);
        return detail::require_operands<value_type>(call, op, levels.whole_rank() == root, count,
                                                    detail::length_of(result), detail::data_of(elements),
                                                    detail::data_of(result));
    });
    const message what{detail::data_of(result), count, detail::datatype_of<value_type>()};
    request started = detail::ireduce<detail::only_algorithm<Policy>>(
        levels, detail::data_of(elements), what, combiner, root,
        detail::select_in_background<detail::verb::reduce, Policy>(
            levels, bytes, combiner.is_commutative,
            {.call = call, .root = root, .op = combiner.op, .data = what}));
    detail::at_once::watch_in(call, levels, started, elements, detail::used_by_root{result, levels, root});
    return started;
}

/// The same for one value of each rank.
template <class T, single_value Result, class Op, policy Policy = automatic>
    requires std::is_same_v<std::remove_cvref_t<T>, Result> request ireduce(const hierarchy& levels,
                                                                            T&& value, Result& result, Op op,
                                                                            int root, Policy policy = {}) {
        detail::assert_outlives<T>();
        return ireduce(levels, std::span<const Result>{&value, 1}, std::span<Result>{&result, 1}, op, root,
                       policy);
    }

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<4, Given...> request ireduce(const hierarchy&, const Given&...)
TOPOMP_NEEDS_RESULT_AND_ROOT(
    "buffer of the result",
    "ireduce(levels, elements, result, op, root); result may be empty on other ranks");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ireduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/ireduce.ipp>
#endif
