// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid reductions that do not wait.
#pragma once

#include <topomp/collective/detail/as_step.hpp>
#include <topomp/collective/forms/all_reduce.hpp>
#include <topomp/collective/forms/reduce.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/forms/broadcast.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// The exchange among one rank of each group, whose operands are in the windows.
/// @param root of the groups; not for all
using reduce_part = persistent (*)(const hierarchy& groups, const message& result, MPI_Op op, int root);
template <class Between>
persistent reduce_part_by(const hierarchy& groups, const message& result, MPI_Op op, int root) {
    return reduce_form<as_step>("topo::hybrid::reduce", groups, MPI_IN_PLACE, result, op, root, Between{});
}
template <class Between>
persistent all_reduce_part_by(const hierarchy& groups, const message& result, MPI_Op op, int) {
    return all_reduce_form<as_step>("topo::hybrid::all_reduce", groups, MPI_IN_PLACE, result, op, Between{});
}

inline constexpr int to_all = -1;

/// Appends the steps of a reduction. @param root `to_all`: the result comes into all windows
void add_reduction(hybrid_steps& to, const void* mine, const combination& combiner, int root,
                   reduce_part between);

/// The hybrid forms that do not wait of an operation that has own ordinary ones: see `own_forms`.
template <class Op, class T>
struct own_hybrid_forms;
template <class Op, class T>
concept has_own_hybrid_forms = requires {
    sizeof(own_hybrid_forms<Op, T>);
};

/// @tparam Verb `reduce` or `all_reduce`, which the policy has to serve
template <verb Verb, class Form, class T, class Op, class Between>
    requires has_own_hybrid_forms<Op, T>
auto begin_reduction(const char* call, const hierarchy& levels, const void* mine, const window_view& view, Op,
                     int root, const hybrid::policy<Between>& options) {
    return own_hybrid_forms<Op, T>::template begin<Verb, Form>(call, levels, static_cast<const T*>(mine),
                                                               view, root, options);
}
template <verb Verb, class Form, class T, class Op, class Between>
auto begin_reduction(const char* call, const hierarchy& levels, const void* mine, const window_view& view,
                     Op op, int root, const hybrid::policy<Between>& options) {
    assert_order<Between, is_commutative<Op, T>>();
    const auto combined = check_own(call, levels, [&] { return combination_of<T>(call, op); });
    check_hybrid_call<Verb>(
        levels, view, view.bytes(), combined.is_commutative,
        {.call = call, .root = root == to_all ? 0 : root, .op = combined.op, .data = view.all}, options);
    require_order_of<Between>(call, combined.is_commutative);
    check_host_memory(levels, call, {mine});
    return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
        if constexpr (Verb == verb::all_reduce)
            add_reduction(to, mine, combined, root, &all_reduce_part_by<Between>);
        else
            add_reduction(to, mine, combined, root, &reduce_part_by<Between>);
    });
}

template <class R>
inline constexpr bool is_window = false;
template <class T>
inline constexpr bool is_window<shared_window<T>> = true;

/// Elements of the calling rank alone. In a window there are other ranks' as well.
template <class R>
concept own_elements = buffer<R> && !is_window<std::remove_cvref_t<R>>;

template <class Form, own_elements Elements, class T, class Op, policy Between = automatic>
auto hybrid_all_reduce_form(const char* call, const hierarchy& levels, Elements&& elements,
                            shared_window<T>& window, Op op, const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    const auto view = check_own(call, levels, [&] {
        require_elements(call, "elements", length_of(elements), window.size());
        require_data(call, "elements", data_of(elements), length_of(elements), datatype_of<T>());
        return view_of_window(window);
    });
    return Form::watch(call, levels,
                       begin_reduction<verb::all_reduce, Form, T>(call, levels, data_of(elements), view, op,
                                                                  to_all, options),
                       elements);
}
template <class Form, class T, class Op, policy Between = automatic>
auto hybrid_all_reduce_form(const char* call, const hierarchy& levels, const shared_window<T>& elements,
                            shared_window<T>& window, Op op, const hybrid::policy<Between>& options = {}) {
    const auto [view, from] = check_own(call, levels, [&] {
        const auto result = view_of_window(window);
        return std::pair{result, operands_in(call, elements, result)};
    });
    return Form::watch(
        call, levels,
        begin_reduction<verb::all_reduce, Form, T>(call, levels, from.mine(), view, op, to_all, options),
        over_level::watch(elements));
}
template <class Form, own_elements Elements, class T, class Op, policy Between = automatic>
auto hybrid_reduce_form(const char* call, const hierarchy& levels, Elements&& elements,
                        shared_window<T>& window, Op op, int root,
                        const hybrid::policy<Between>& options = {}) {
    assert_elements_of<T, Elements>();
    const auto view = check_own(call, levels, [&] {
        require_root(call, root, levels);
        require_elements(call, "elements", length_of(elements), window.size());
        require_data(call, "elements", data_of(elements), length_of(elements), datatype_of<T>());
        return view_of_window(window);
    });
    return Form::watch(
        call, levels,
        begin_reduction<verb::reduce, Form, T>(call, levels, data_of(elements), view, op, root, options),
        elements);
}
template <class Form, class T, class Op, policy Between = automatic>
auto hybrid_reduce_form(const char* call, const hierarchy& levels, const shared_window<T>& elements,
                        shared_window<T>& window, Op op, int root,
                        const hybrid::policy<Between>& options = {}) {
    const auto [view, from] = check_own(call, levels, [&] {
        require_root(call, root, levels);
        const auto result = view_of_window(window);
        return std::pair{result, operands_in(call, elements, result)};
    });
    return Form::watch(
        call, levels,
        begin_reduction<verb::reduce, Form, T>(call, levels, from.mine(), view, op, root, options),
        over_level::watch(elements));
}

/// A pointer and a count do not compile: the message names what does.
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_all_reduce_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}
template <class Form, class T, std::integral Count, class... Rest>
    requires(!std::is_same_v<Count, bool>)
typename Form::result hybrid_reduce_form(const char*, const hierarchy&, const T*, Count, Rest&&...) {
    static_assert(counted<const T*>);
    return {};
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/reduce_forms.ipp>
#endif
