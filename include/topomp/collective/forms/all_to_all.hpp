// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exchanges that do not wait.
#pragma once

#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// In a checked build, checks for each pair of ranks that the length sent is the one awaited.
/// @collective over the whole
void compare_exchange(const char* call, const hierarchy& levels, const blocks& source, const blocks& result);

/// The forms of all to all that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto all_to_all_form(const char* call, const hierarchy& levels, blocks source, blocks result, Policy = {}) {
    const std::size_t bytes = check_all_to_all(call, levels, source, result);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, exchange_arguments<verb::all_to_all>{source, result}, call,
        Form::template choose<verb::all_to_all, Policy>(levels, bytes, true,
                                                        {.call = call, .data = result.block_of(0)}));
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_to_all_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                     Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::all_to_all_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message mine = view_of(elements);
    const std::size_t each = check_all_to_all(call, levels, mine.count, length_of(result));
    return Form::watch(call, levels,
                       all_to_all_form<Form>(call, levels, blocks{mine.data, mine.type, each},
                                             blocks{data_of(result), mine.type, each}, policy),
                       elements, result);
}

/// The same of blocks of different lengths.
template <class Form, policy Policy = automatic>
auto all_to_allv_form(const char* call, const hierarchy& levels, blocks source, blocks result, Policy = {}) {
    const blocks& sent = source.data == MPI_IN_PLACE ? result : source;
    check_own(call, levels, [&] {
        for (const blocks* each : {&sent, static_cast<const blocks*>(&result)}) {
            require_counts(call, *each, levels);
            require_blocks(call, *each, levels);
            require_data(call, each == &result ? "result" : "source", *each, levels);
        }
        require_apart(call, "result", result);
        const int rank = levels.whole_rank();
        require_own_bytes(call, sent.count_of(rank) * size_of(sent.type),
                          result.count_of(rank) * size_of(result.type));
    });
    const auto chosen = Form::template choose<verb::all_to_allv, Policy>(levels, 0, true, {.call = call});
    compare_exchange(call, levels, sent, result);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, exchange_arguments<verb::all_to_allv>{source, result}, call, chosen);
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_to_allv_form(const char* call, const hierarchy& levels, Elements&& elements, const integers& counts,
                      const integers& positions, Result&& result, const integers& result_counts,
                      const integers& result_positions, Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::iall_to_allv, all_to_allv_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message all = view_of(elements);
    const blocks from{all.data, all.type, 0, counts, positions},
        to{data_of(result), all.type, 0, result_counts, result_positions};
    check_own(call, levels, [&] {
        require_counts(call, from, levels);
        require_counts(call, to, levels);
        require_room(call, "elements", from, all.count);
        require_room(call, "result", to, length_of(result));
    });
    return Form::watch(call, levels, all_to_allv_form<Form>(call, levels, from, to, policy), elements,
                       result);
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_to_allv_form(const char* call, const hierarchy& levels, Elements&& elements, const integers& counts,
                      Result&& result, const integers& result_counts, Policy policy = {}) {
    assert_outlives<Elements, Result>();
    return Form::watch(call, levels,
                       all_to_allv_form<Form>(call, levels, std::span{elements}, counts, integers{},
                                              std::span{result}, result_counts, integers{}, policy),
                       elements, result);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_to_all_forms.ipp>
#endif
