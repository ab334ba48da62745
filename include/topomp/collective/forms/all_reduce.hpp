// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reductions to all ranks that do not wait.
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// The forms of all reduce that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, class Policy>
auto begin_all_reduce(const char* call, const hierarchy& levels, const void* input, const message& result,
                      const operand_facts& facts) {
    const plan chosen = right_for(Form::template choose<verb::all_reduce, Policy>(
                                      levels, facts.bytes, facts.combiner.is_commutative,
                                      {.call = call, .op = facts.combiner.op, .data = result}),
                                  result);
    require_order(call, chosen, facts.combiner.is_commutative);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, all_reduce_arguments{input, result, facts.combiner}, call, chosen);
}
template <class Form, policy Policy = automatic>
auto all_reduce_form(const char* call, const hierarchy& levels, const void* input, message result, MPI_Op op,
                     Policy = {}) {
    const auto facts = check_own(call, levels, [&] { return require_operands(call, input, result, op); });
    return begin_all_reduce<Form, Policy>(call, levels, input == MPI_IN_PLACE ? result.data : input, result,
                                          facts);
}
template <class Form, buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
auto all_reduce_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result, Op op,
                     Policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::iall_reduce, all_reduce_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    if constexpr (has_own_forms<Op, value_type>) {
        return Form::watch(
            call, levels,
            own_forms<Op, value_type>::template all_reduce<Form, Policy>(call, levels, elements, result),
            elements, result);
    } else {
        assert_order<Policy, is_commutative<Op, value_type>>();
        const message what = message_of(result);
        const auto facts = check_own(call, levels, [&] {
            return require_operands<value_type>(call, op, true, length_of(elements), what.count,
                                                data_of(elements), data_of(result));
        });
        return Form::watch(call, levels,
                           begin_all_reduce<Form, Policy>(call, levels, data_of(elements), what, facts),
                           elements, result);
    }
}
template <class Form, class T, single_value Result, class Op, policy Policy = automatic>
    requires std::is_same_v<std::remove_cvref_t<T>, Result>
auto all_reduce_form(const char* call, const hierarchy& levels, T&& value, Result& result, Op op,
                     Policy policy = {}) {
    assert_outlives<T>();
    return all_reduce_form<Form>(call, levels, std::span<const Result>{&value, 1},
                                 std::span<Result>{&result, 1}, op, policy);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_reduce_forms.ipp>
#endif
