// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid gathers on all nodes that do not wait.
#pragma once

#include <topomp/collective/detail/as_step.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/forms/all_gather.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/detail/rank_blocks.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace topo::detail {

using all_gather_part = persistent (*)(const hierarchy& groups, const blocks& all);
template <class Between>
persistent all_gather_part_by(const hierarchy& groups, const blocks& all) {
    return all_gatherv_form<as_step>("topo::hybrid::all_gatherv", groups, message{MPI_IN_PLACE, 0, all.type},
                                     all, Between{});
}

/// Appends the steps of a gather.
void add_all_gather(hybrid_steps& to, const void* mine, bool is_in_place, const rank_blocks& where,
                    all_gather_part between);

template <class Form, class T, class Between>
auto hybrid_all_gather_form(const char* call, const hierarchy& levels, const T* mine, bool is_in_place,
                            shared_window<T>& window, const hybrid::policy<Between>& options) {
    std::size_t each = 0;
    const window_view view = check_own(call, levels, [&] {
        const window_view all = view_of_window(window);
        each = count_of_each(call, all.all.count, levels);
        return all;
    });
    check_hybrid_call<verb::all_gather>(levels, view, view.bytes(), true, {.call = call, .data = view.all},
                                        options);
    check_host_memory(levels, call, {mine});
    return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
        add_all_gather(to, mine, is_in_place, rank_blocks{each}, &all_gather_part_by<Between>);
    });
}
template <class Form, buffer Elements, class T, policy Between = automatic>
auto hybrid_all_gather_form(const char* call, const hierarchy& levels, Elements&& elements,
                            shared_window<T>& window, const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    check_own(call, levels, [&] {
        require_elements(call, "window", window.size(),
                         elements_of_all(call, length_of(elements), sizeof(T), levels));
        require_data(call, "elements", view_of(elements));
    });
    return Form::watch(
        call, levels,
        hybrid_all_gather_form<Form, T>(call, levels, data_of(elements), false, window, options), elements);
}
template <class Form, class T, policy Between = automatic>
auto hybrid_all_gather_form(const char* call, const hierarchy& levels, shared_window<T>& window,
                            const hybrid::policy<Between>& options = {}) {
    return hybrid_all_gather_form<Form, T>(call, levels, static_cast<const T*>(nullptr), true, window,
                                           options);
}

/// The same of blocks of different lengths.
template <class Form, class T, class Between>
auto hybrid_all_gatherv_form(const char* call, const hierarchy& levels, const T* mine, bool is_in_place,
                             shared_window<T>& window, const integers& counts,
                             const hybrid::policy<Between>& options) {
    const blocks parts{nullptr, datatype_of<T>(), 0, counts};
    const window_view view = check_own(call, levels, [&] {
        const window_view all = view_of_window(window);
        require_counts(call, parts, levels);
        require_elements(call, "window", all.all.count, extent_of(call, parts).sum);
        return all;
    });
    check_hybrid_call<verb::all_gatherv>(
        levels, view, view.bytes(), true,
        {.call = call, .lengths = hash_of_lengths(parts, levels.whole_size())}, options);
    check_host_memory(levels, call, {mine});
    return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
        add_all_gather(to, mine, is_in_place, blocks_of_counts(levels, counts), &all_gather_part_by<Between>);
    });
}
template <class Form, buffer Elements, class T, policy Between = automatic>
auto hybrid_all_gatherv_form(const char* call, const hierarchy& levels, Elements&& elements,
                             shared_window<T>& window, const integers& counts,
                             const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    check_own(call, levels, [&] {
        require_counts(call, counts, levels);
        require_elements(call, "elements", length_of(elements),
                         counts[static_cast<std::size_t>(levels.whole_rank())]);
        require_data(call, "elements", view_of(elements));
    });
    return Form::watch(
        call, levels,
        hybrid_all_gatherv_form<Form, T>(call, levels, data_of(elements), false, window, counts, options),
        elements);
}
template <class Form, class T, policy Between = automatic>
auto hybrid_all_gatherv_form(const char* call, const hierarchy& levels, shared_window<T>& window,
                             const integers& counts, const hybrid::policy<Between>& options = {}) {
    return hybrid_all_gatherv_form<Form, T>(call, levels, static_cast<const T*>(nullptr), true, window,
                                            counts, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_all_gather_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_all_gatherv_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_gather_forms.ipp>
#endif
