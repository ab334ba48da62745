// SPDX-License-Identifier: BSL-1.0
/// @file
/// Gathers on all ranks that do not wait.
#pragma once

#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// The forms of all gather that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto all_gather_form(const char* call, const hierarchy& levels, message mine, blocks result, Policy = {}) {
    const std::size_t bytes = check_all_gather(call, levels, mine, result);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, all_gathering_arguments<verb::all_gather>{mine, result, bytes}, call,
        Form::template choose<verb::all_gather, Policy>(
            levels, bytes, true, {.call = call, .data = {nullptr, result.count, result.type}}));
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_gather_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                     Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::all_gather_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message mine = view_of(elements);
    check_all_gather(call, levels, mine.count, length_of(result));
    return Form::watch(
        call, levels,
        all_gather_form<Form>(call, levels, mine, blocks{data_of(result), mine.type, mine.count}, policy),
        elements, result);
}
template <class Form, class T, writable_buffer Result, policy Policy = automatic>
    requires single_value<std::remove_cvref_t<T>>
auto all_gather_form(const char* call, const hierarchy& levels, T&& value, Result&& result,
                     Policy policy = {}) {
    assert_outlives<T, Result>();
    require_open(call, levels);
    resize(result, static_cast<std::size_t>(levels.whole_size()));
    return all_gather_form<Form>(call, levels, std::span<const std::remove_cvref_t<T>>{&value, 1}, result,
                                 policy);
}

/// The same of blocks of different lengths.
template <class Form, policy Policy = automatic>
auto all_gatherv_form(const char* call, const hierarchy& levels, message mine, const blocks& result,
                      Policy = {}) {
    require_open(call, levels);
    const int rank = levels.whole_rank(), ranks = levels.whole_size();
    check_own(call, levels, [&] {
        require_counts(call, result, levels);
        require_blocks(call, result, levels);
        require_apart(call, "result", result);
        require_data(call, "blocks", result, levels);
        if (mine.data == MPI_IN_PLACE) return;
        require_own_bytes(call, require_message(call, mine),
                          result.count_of(rank) * type_layout{result.type}.size);
        require_data(call, "mine", mine);
    });
    const std::size_t bytes = total_bytes(result, ranks);
    const auto chosen = Form::template choose<verb::all_gatherv, Policy>(
        levels, bytes / static_cast<std::size_t>(ranks), !has_long_block(result, bytes, ranks),
        {.call = call, .lengths = hash_of_lengths(result, ranks)});
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, all_gathering_arguments<verb::all_gatherv>{mine, result, bytes}, call, chosen);
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_gatherv_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                      const integers& counts, const integers& positions, Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::iall_gatherv, all_gatherv_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message mine = view_of(elements);
    const blocks all{data_of(result), mine.type, 0, counts, positions};
    check_own(call, levels, [&] {
        require_counts(call, all, levels);
        require_room(call, "result", all, length_of(result));
    });
    return Form::watch(call, levels, all_gatherv_form<Form>(call, levels, mine, all, policy), elements,
                       result);
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto all_gatherv_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                      const integers& counts, Policy policy = {}) {
    assert_outlives<Elements, Result>();
    return Form::watch(call, levels,
                       all_gatherv_form<Form>(call, levels, std::span{elements}, std::span{result}, counts,
                                              integers{}, policy),
                       elements, result);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_gather_forms.ipp>
#endif
