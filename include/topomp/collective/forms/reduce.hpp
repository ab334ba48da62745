// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reductions to one rank or to all that do not wait.
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// The forms of reduce that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, class Policy>
auto begin_reduce(const char* call, const hierarchy& levels, const void* input, const message& result,
                  const operand_facts& facts, int root) {
    const plan chosen = right_for(Form::template choose<verb::reduce, Policy>(
                                      levels, facts.bytes, facts.combiner.is_commutative,
                                      {.call = call, .root = root, .op = facts.combiner.op, .data = result}),
                                  result);
    require_order(call, chosen, facts.combiner.is_commutative);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, reduce_arguments{input, result, facts.combiner, root}, call, chosen);
}
template <class Form, policy Policy = automatic>
auto reduce_form(const char* call, const hierarchy& levels, const void* input, message result, MPI_Op op,
                 int root, Policy = {}) {
    const auto facts = check_own(call, levels, [&] {
        require_root(call, root, levels);
        return require_operands(call, input, result, op, levels.whole_rank() == root);
    });
    return begin_reduce<Form, Policy>(call, levels, input == MPI_IN_PLACE ? result.data : input, result,
                                      facts, root);
}
template <class Form, buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
auto reduce_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result, Op op,
                 int root, Policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::ireduce, reduce_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    if constexpr (has_own_forms<Op, value_type>) {
        return Form::watch(
            call, levels,
            own_forms<Op, value_type>::template reduce<Form, Policy>(call, levels, elements, result, root),
            elements, used_by_root{result, levels, root});
    } else {
        assert_order<Policy, is_commutative<Op, value_type>>();
        const std::size_t count = length_of(elements);
        const auto facts = check_own(call, levels, [&] {
            require_root(call, root, levels);
            return require_operands<value_type>(call, op, levels.whole_rank() == root, count,
                                                length_of(result), data_of(elements), data_of(result));
        });
        const message what{data_of(result), count, datatype_of<value_type>()};
        return Form::watch(call, levels,
                           begin_reduce<Form, Policy>(call, levels, data_of(elements), what, facts, root),
                           elements, used_by_root{result, levels, root});
    }
}
template <class Form, class T, single_value Result, class Op, policy Policy = automatic>
    requires std::is_same_v<std::remove_cvref_t<T>, Result>
auto reduce_form(const char* call, const hierarchy& levels, T&& value, Result& result, Op op, int root,
                 Policy policy = {}) {
    assert_outlives<T>();
    return reduce_form<Form>(call, levels, std::span<const Result>{&value, 1}, std::span<Result>{&result, 1},
                             op, root, policy);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce_forms.ipp>
#endif
