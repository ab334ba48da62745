// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reductions in blocks that do not wait.
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <string>
#include <type_traits>

namespace topo::detail {

/// The forms of reduce scatter that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, class Policy>
auto begin_reduce_scatter(const char* call, const hierarchy& levels, const blocks& input,
                          std::size_t elements, const message& mine, const combination& combiner) {
    const auto chosen = Form::template choose<verb::reduce_scatter, Policy>(
        levels, elements * type_layout{input.type}.size, combiner.is_commutative,
        {.call = call,
         .op = combiner.op,
         .data = {nullptr, elements, input.type},
         .lengths = hash_of_lengths(input, levels.whole_size())});
    require_order(call, chosen, combiner.is_commutative);
    const blocks placed = with_own_counts(input);
    const message block = own_block(placed, mine, levels.whole_rank());
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, reduce_scatter_arguments{placed, elements, block, combiner}, call, chosen);
}
template <class Form, policy Policy = automatic>
auto reduce_scatter_form(const char* call, const hierarchy& levels, blocks input, message mine, MPI_Op op,
                         Policy = {}) {
    combination combiner;
    const std::size_t elements = check_own(call, levels, [&] {
        combiner = require_operands(call, {nullptr, 0, input.type}, op).combiner;
        if (mine.data != MPI_IN_PLACE) require_type(call, mine.type);
        return require_reduce_scatter(call, levels, input, mine);
    });
    return begin_reduce_scatter<Form, Policy>(call, levels, input, elements, mine, combiner);
}
template <class Form, buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto reduce_scatter_form(const char* call, const hierarchy& levels, Elements&& elements,
                         const integers& counts, Result&& result, Op op, Policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::ireduce_scatter, reduce_scatter_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    if constexpr (has_own_forms<Op, value_type>) {
        return Form::watch(call, levels,
                           own_forms<Op, value_type>::template reduce_scatter<Form, Policy>(
                               call, levels, elements, counts, result),
                           elements, result);
    } else {
        assert_order<Policy, is_commutative<Op, value_type>>();
        const message all = view_of(elements), mine = message_of(result);
        const blocks input{all.data, all.type, 0, counts};
        const auto combiner = check_own(call, levels, [&] {
            require_counts(call, input, levels);
            if (const auto expected = require_reduce_scatter(call, levels, input, mine);
                all.count != expected)
                throw argument_error(call, "elements",
                                     "there are " + std::to_string(all.count) + ", the blocks have " +
                                         std::to_string(expected));
            return combination_of<value_type>(call, op);
        });
        return Form::watch(call, levels,
                           begin_reduce_scatter<Form, Policy>(call, levels, input, all.count, mine, combiner),
                           elements, result);
    }
}
template <class Form, buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto reduce_scatter_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                         Op op, Policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::ireduce_scatter, reduce_scatter_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    if constexpr (has_own_forms<Op, value_type>) {
        return Form::watch(
            call, levels,
            own_forms<Op, value_type>::template reduce_scatter<Form, Policy>(call, levels, elements, result),
            elements, result);
    } else {
        assert_order<Policy, is_commutative<Op, value_type>>();
        const message all = view_of(elements), mine = message_of(result);
        const auto combiner = check_own(call, levels, [&] {
            require_block_each(call, "elements", all.count, mine.count, levels);
            require_memory(call, "elements", all.count, sizeof(value_type));
            require_reduce_scatter(call, levels, {all.data, all.type, mine.count}, mine);
            return combination_of<value_type>(call, op);
        });
        return Form::watch(call, levels,
                           begin_reduce_scatter<Form, Policy>(call, levels,
                                                              blocks{all.data, all.type, mine.count},
                                                              all.count, mine, combiner),
                           elements, result);
    }
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce_scatter_forms.ipp>
#endif
