// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid broadcasts that do not wait.
#pragma once

#include <topomp/collective/detail/as_step.hpp>
#include <topomp/collective/forms/broadcast.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace topo::detail {

using broadcast_part = persistent (*)(const hierarchy& groups, const message& what, int root);
template <class Between>
persistent broadcast_part_by(const hierarchy& groups, const message& what, int root) {
    return broadcast_form<as_step>("topo::hybrid::broadcast", groups, what, root, Between{});
}

/// Appends the steps of a broadcast. @param elements the root's; null everywhere: they are in its window
void add_broadcast(hybrid_steps& to, const void* elements, bool is_in_place, int root,
                   broadcast_part between);

template <class Form, class T, class Between>
auto hybrid_broadcast_form(const char* call, const hierarchy& levels, const T* elements, bool is_in_place,
                           shared_window<T>& window, int root, const hybrid::policy<Between>& options) {
    const window_view view = check_own(call, levels, [&] {
        require_root(call, root, levels);
        return view_of_window(window);
    });
    check_hybrid_call<verb::broadcast>(levels, view, view.bytes(), true,
                                       {.call = call, .root = root, .data = view.all}, options);
    check_host_memory(levels, call, {elements});
    return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
        add_broadcast(to, elements, is_in_place, root, &broadcast_part_by<Between>);
    });
}
template <class Form, buffer Elements, class T, policy Between = automatic>
auto hybrid_broadcast_form(const char* call, const hierarchy& levels, Elements&& elements,
                           shared_window<T>& window, int root, const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    check_own(call, levels, [&] {
        if (levels.whole_rank() == root)
            require_elements(call, "elements", length_of(elements), window.size());
        require_data(call, "elements", data_of(elements), length_of(elements), datatype_of<T>());
    });
    return Form::watch(
        call, levels,
        hybrid_broadcast_form<Form, T>(call, levels, data_of(elements), false, window, root, options),
        used_by_root{elements, levels, root});
}
template <class Form, class T, policy Between = automatic>
auto hybrid_broadcast_form(const char* call, const hierarchy& levels, shared_window<T>& window, int root,
                           const hybrid::policy<Between>& options = {}) {
    return hybrid_broadcast_form<Form, T>(call, levels, static_cast<const T*>(nullptr), true, window, root,
                                          options);
}

/// A pointer and a count do not compile: the message names what does.
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_broadcast_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/broadcast_forms.ipp>
#endif
