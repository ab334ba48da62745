// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid gathers and scatters that do not wait.
#pragma once

#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace topo::detail {

/// Appends the steps of a gather, or of a scatter. @param mine the calling rank's elements
void add_gather(hybrid_steps& to, const message& mine, int root);
void add_scatter(hybrid_steps& to, const message& mine, int root);

/// @tparam Verb `gather` or `scatter`
template <verb Verb, class Form, class T, class Between>
auto hybrid_rooted_form(const char* call, const hierarchy& levels, const message& mine,
                        shared_window<T>& window, int root, const hybrid::policy<Between>& options) {
    const auto view = check_own(call, levels, [&] {
        require_root(call, root, levels);
        return view_of_window(window);
    });
    const std::size_t all = check_own(call, levels, [&] {
        require_data(call, Verb == verb::gather ? "elements" : "mine", mine);
        return elements_of_all(call, mine.count, sizeof(T), levels);
    });
    check_hybrid_call<Verb>(levels, view, bytes_of(mine), true,
                            {.call = call, .root = root, .data = {nullptr, mine.count, mine.type}}, options);
    check_host_memory(levels, call, {mine.data});
    const bool is_here = is_in_own_group(levels, view, root);
    check_on_all_ranks(levels, [&] {
        if (is_here) require_elements(call, "window", view.all.count, all);
    });
    return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
        if constexpr (Verb == verb::gather)
            add_gather(to, mine, root);
        else
            add_scatter(to, mine, root);
    });
}
template <class Form, buffer Elements, class T, policy Between = automatic>
auto hybrid_gather_form(const char* call, const hierarchy& levels, Elements&& elements,
                        shared_window<T>& window, int root, const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    return Form::watch(
        call, levels,
        hybrid_rooted_form<verb::gather, Form>(call, levels, view_of(elements), window, root, options),
        elements);
}
template <class Form, class T, writable_buffer Mine, policy Between = automatic>
auto hybrid_scatter_form(const char* call, const hierarchy& levels, shared_window<T>& window, Mine&& mine,
                         int root, const hybrid::policy<Between>& options = {}) {
    static_assert(std::is_same_v<element_value_t<Mine>, T>,
                  "topo::hybrid: elements of the shared_window and mine must be of one type");
    assert_outlives<Mine>();
    return Form::watch(
        call, levels,
        hybrid_rooted_form<verb::scatter, Form>(call, levels, message_of(mine), window, root, options), mine);
}

/// A pointer and a count do not compile: the message names what does.
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_gather_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}
template <class Form, class Element, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_scatter_form(const char*, const hierarchy&, shared_window<Element>&, const T*,
                                          Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/gather_forms.ipp>
#endif
