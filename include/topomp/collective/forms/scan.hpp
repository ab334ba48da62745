// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scans that do not wait.
#pragma once

#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// The forms of scan that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <scan_kind Kind, class Form, class Policy>
auto begin_scan(const char* call, const hierarchy& levels, const void* input, const message& result,
                const operand_facts& facts) {
    constexpr verb which = Kind == scan_kind::inclusive ? verb::scan : verb::exclusive_scan;
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, scan_arguments{input, result, facts.combiner.op, Kind}, call,
        Form::template choose<which, Policy>(levels, facts.bytes, false,
                                             {.call = call, .op = facts.combiner.op, .data = result}));
}
/// @tparam Kind whether a rank's own elements count
template <scan_kind Kind, class Form, policy Policy = automatic>
auto scan_form(const char* call, const hierarchy& levels, const void* input, message result, MPI_Op op,
               Policy = {}) {
    assert_scans<Policy>();
    const auto facts = check_own(call, levels, [&] {
        return require_operands(call, input, result, op,
                                Kind == scan_kind::inclusive || levels.whole_rank() > 0);
    });
    return begin_scan<Kind, Form, Policy>(call, levels, input == MPI_IN_PLACE ? result.data : input, result,
                                          facts);
}
template <scan_kind Kind, class Form, buffer Elements, writable_buffer Result, class Op,
          policy Policy = automatic>
auto scan_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result, Op op,
               Policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo: elements and result of a scan must be of one type");
    assert_outlives<Elements, Result>();
    assert_scans<Policy>();
    if constexpr (has_own_forms<Op, value_type>) {
        return Form::watch(
            call, levels,
            own_forms<Op, value_type>::template scan<Kind, Form, Policy>(call, levels, elements, result),
            elements, result);
    } else {
        const message what = message_of(result);
        const auto facts = check_own(call, levels, [&] {
            return require_operands<value_type>(call, op, true, length_of(elements), what.count,
                                                data_of(elements), data_of(result));
        });
        return Form::watch(call, levels,
                           begin_scan<Kind, Form, Policy>(call, levels, data_of(elements), what, facts),
                           elements, result);
    }
}
template <scan_kind Kind, class Form, class T, single_value Result, class Op, policy Policy = automatic>
    requires std::is_same_v<std::remove_cvref_t<T>, Result>
auto scan_form(const char* call, const hierarchy& levels, T&& value, Result& result, Op op,
               Policy policy = {}) {
    assert_outlives<T>();
    return scan_form<Kind, Form>(call, levels, std::span<const Result>{&value, 1},
                                 std::span<Result>{&result, 1}, op, policy);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scan_forms.ipp>
#endif
