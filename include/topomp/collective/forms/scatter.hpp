// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scatters that do not wait.
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

/// The forms of scatter that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto scatter_form(const char* call, const hierarchy& levels, blocks source, message mine, int root,
                  Policy = {}) {
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root) require_equal_blocks(call, source);
        require_blocks_of_root(call, levels, mine, source, root);
        if (levels.whole_rank() != root) require_block_of_all(call, mine, levels);
    });
    const message own = own_block(mine, source, root);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, scattering_arguments<verb::scatter>{call, source, own, root}, call,
        Form::template choose<verb::scatter, Policy>(levels, bytes_of(own), true,
                                                     {.call = call, .root = root, .data = own}));
}
template <class Form, buffer Elements, writable_buffer Mine, policy Policy = automatic>
auto scatter_form(const char* call, const hierarchy& levels, Elements&& elements, Mine&& mine, int root,
                  Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Mine>>,
                  "topo::iscatter, scatter_init: elements and mine must be of one type");
    assert_outlives<Elements, Mine>();
    const message all = view_of(elements), own = message_of(mine);
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root) require_block_each(call, "elements", all.count, own.count, levels);
    });
    return Form::watch(
        call, levels,
        scatter_form<Form>(call, levels, blocks{all.data, all.type, own.count}, own, root, policy),
        used_by_root{elements, levels, root}, mine);
}
template <class Form, buffer Elements, single_value T, policy Policy = automatic>
auto scatter_form(const char* call, const hierarchy& levels, Elements&& elements, T& mine, int root,
                  Policy policy = {}) {
    assert_outlives<Elements>();
    return scatter_form<Form>(call, levels, std::span{elements}, std::span<T>{&mine, 1}, root, policy);
}

/// The same of blocks of different lengths.
template <class Form, policy Policy = automatic>
auto scatterv_form(const char* call, const hierarchy& levels, blocks source, message mine, int root,
                   Policy = {}) {
    require_open(call, levels);
    if (levels.whole_rank() != root) source = {};
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root) require_counts(call, source, levels);
        require_blocks_of_root(call, levels, mine, source, root);
        require_apart(call, "source", source);
    });
    const auto chosen =
        Form::template choose<verb::scatterv, Policy>(levels, 0, true, {.call = call, .root = root});
    const blocks placed = with_own_counts(source);
    const message own = own_block(mine, placed, root);
    compare_with_root(call, levels, own, placed, root);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, scattering_arguments<verb::scatterv>{call, placed, own, root}, call, chosen);
}
template <class Form, buffer Elements, writable_buffer Mine, policy Policy = automatic>
auto scatterv_form(const char* call, const hierarchy& levels, Elements&& elements, const integers& counts,
                   const integers& positions, Mine&& mine, int root, Policy policy = {}) {
    using value_type = element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, element_value_t<Mine>>,
                  "topo::iscatterv, scatterv_init: elements and mine must be of one type");
    assert_outlives<Elements, Mine>();
    const message all = view_of(elements);
    const blocks source{all.data, all.type, 0, counts, positions};
    check_own(call, levels, [&] {
        if (levels.whole_rank() != root) return;
        require_counts(call, source, levels);
        require_room(call, "elements", source, all.count);
    });
    return Form::watch(call, levels,
                       scatterv_form<Form>(call, levels, source, message_of(mine), root, policy),
                       used_by_root{elements, levels, root}, mine);
}
template <class Form, buffer Elements, writable_buffer Mine, policy Policy = automatic>
auto scatterv_form(const char* call, const hierarchy& levels, Elements&& elements, const integers& counts,
                   Mine&& mine, int root, Policy policy = {}) {
    assert_outlives<Elements, Mine>();
    return Form::watch(call, levels,
                       scatterv_form<Form>(call, levels, std::span{elements}, counts, integers{},
                                           std::span{mine}, root, policy),
                       used_by_root{elements, levels, root}, mine);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scatter_forms.ipp>
#endif
