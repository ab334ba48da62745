// SPDX-License-Identifier: BSL-1.0
/// @file
/// Gathers that do not wait.
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <span>
#include <type_traits>

namespace topo::detail {

/// The forms of gather that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto gather_form(const char* call, const hierarchy& levels, message mine, blocks result, int root,
                 Policy = {}) {
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root) require_equal_blocks(call, result);
        require_blocks_of_root(call, levels, mine, result, root);
        if (levels.whole_rank() != root) require_block_of_all(call, mine, levels);
    });
    const message own = own_block(mine, result, root);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, gathering_arguments<verb::gather>{call, own, result, root}, call,
        Form::template choose<verb::gather, Policy>(levels, bytes_of(own), true,
                                                    {.call = call, .root = root, .data = own}));
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto gather_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result, int root,
                 Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::igather, gather_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message mine = view_of(elements);
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root)
            require_block_each(call, "result", length_of(result), mine.count, levels);
    });
    return Form::watch(
        call, levels,
        gather_form<Form>(call, levels, mine, blocks{data_of(result), mine.type, mine.count}, root, policy),
        elements, used_by_root{result, levels, root});
}
template <class Form, class T, writable_buffer Result, policy Policy = automatic>
    requires single_value<std::remove_cvref_t<T>>
auto gather_form(const char* call, const hierarchy& levels, T&& value, Result&& result, int root,
                 Policy policy = {}) {
    assert_outlives<T, Result>();
    require_open(call, levels);
    if (levels.whole_rank() == root) resize(result, static_cast<std::size_t>(levels.whole_size()));
    return gather_form<Form>(call, levels, std::span<const std::remove_cvref_t<T>>{&value, 1}, result, root,
                             policy);
}

/// The same of blocks of different lengths.
template <class Form, policy Policy = automatic>
auto gatherv_form(const char* call, const hierarchy& levels, message mine, blocks result, int root,
                  Policy = {}) {
    require_open(call, levels);
    if (levels.whole_rank() != root) result = {};
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root) require_counts(call, result, levels);
        require_blocks_of_root(call, levels, mine, result, root);
        require_apart(call, "result", result);
    });
    const auto chosen =
        Form::template choose<verb::gatherv, Policy>(levels, 0, true, {.call = call, .root = root});
    const blocks placed = with_own_counts(result);
    const message own = own_block(mine, placed, root);
    compare_with_root(call, levels, own, placed, root);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, gathering_arguments<verb::gatherv>{call, own, placed, root}, call, chosen);
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto gatherv_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                  const integers& counts, const integers& positions, int root, Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Result>>,
                  "topo::igatherv, gatherv_init: elements and result must be of one type");
    assert_outlives<Elements, Result>();
    const message mine = view_of(elements);
    const blocks all{data_of(result), mine.type, 0, counts, positions};
    check_own(call, levels, [&] {
        if (levels.whole_rank() != root) return;
        require_counts(call, all, levels);
        require_room(call, "result", all, length_of(result));
    });
    return Form::watch(call, levels, gatherv_form<Form>(call, levels, mine, all, root, policy), elements,
                       used_by_root{result, levels, root});
}
template <class Form, buffer Elements, writable_buffer Result, policy Policy = automatic>
auto gatherv_form(const char* call, const hierarchy& levels, Elements&& elements, Result&& result,
                  const integers& counts, int root, Policy policy = {}) {
    assert_outlives<Elements, Result>();
    return Form::watch(call, levels,
                       gatherv_form<Form>(call, levels, std::span{elements}, std::span{result}, counts,
                                          integers{}, root, policy),
                       elements, used_by_root{result, levels, root});
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/gather_forms.ipp>
#endif
