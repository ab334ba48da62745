// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exchanges with neighbours in their forms that do not wait.
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/detail/neighbour_blocks.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <span>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// @tparam Form `at_once` or `when_started` @param out in the order of destinations @param in in the order of
/// sources @param is_same all blocks of a rank are one @param is_equal all blocks of all ranks have one
/// length
template <class Form>
typename Form::result begin_exchange(const char* call, const neighbourhood& links,
                                     std::span<const message> out, std::span<const message> in, bool is_same,
                                     bool is_equal);

/// Elements of a result's type, in buffers that outlive the call.
template <class Elements, class Result>
constexpr void assert_exchanged() {
    static_assert(std::is_same_v<element_value_t<Elements>, element_value_t<Result>>,
                  "topo: elements and result of an exchange with neighbours must be of one type");
    assert_outlives<Elements, Result>();
}

template <class Form, neighbours Where, buffer Elements, writable_buffer Result>
auto neighbour_all_to_all_form(const char* call, const Where& where, Elements&& elements, Result&& result) {
    assert_exchanged<Elements, Result>();
    const neighbourhood& links = neighbours_of(where);
    const auto both = checked_buffers(links, [&] {
        neighbour_buffers made{{call, "elements", elements, links.destinations().size()},
                               {call, "result", result, links.sources().size()}};
        require_one_length(call, made.out, made.in);
        return made;
    });
    return Form::watch(call, links,
                       begin_exchange<Form>(call, links, both.out.all(), both.in.all(), false, true),
                       elements, result);
}

template <class Form, neighbours Where, buffer Elements, writable_buffer Result>
auto neighbour_all_to_allv_form(const char* call, const Where& where, Elements&& elements,
                                const integers& counts, Result&& result, const integers& result_counts) {
    assert_exchanged<Elements, Result>();
    const neighbourhood& links = neighbours_of(where);
    const auto both = checked_buffers(links, [&] {
        return neighbour_buffers{{call, "elements", elements, links.destinations().size(), counts},
                                 {call, "result", result, links.sources().size(), result_counts}};
    });
    return Form::watch(call, links,
                       begin_exchange<Form>(call, links, both.out.all(), both.in.all(), false, false),
                       elements, result);
}

template <class Form, neighbours Where, buffer Elements, writable_buffer Result>
auto neighbour_all_gather_form(const char* call, const Where& where, Elements&& elements, Result&& result) {
    assert_exchanged<Elements, Result>();
    const neighbourhood& links = neighbours_of(where);
    const auto both = checked_buffers(links, [&] {
        neighbour_buffers made{{repeated, call, elements, links.destinations().size()},
                               {call, "result", result, links.sources().size()}};
        require_own_length(call, length_of(elements), made.in);
        return made;
    });
    return Form::watch(call, links,
                       begin_exchange<Form>(call, links, both.out.all(), both.in.all(), true, true), elements,
                       result);
}

/// The same of a value of each rank, which must outlive the call, too.
template <class Form, neighbours Where, class T, writable_buffer Result>
    requires(single_value<std::remove_cvref_t<T>>)
auto neighbour_all_gather_form(const char* call, const Where& where, T&& value, Result&& result) {
    assert_outlives<T>();
    return neighbour_all_gather_form<Form>(call, where, std::span<const std::remove_cvref_t<T>>{&value, 1},
                                           std::forward<Result>(result));
}

template <class Form, neighbours Where, buffer Elements, writable_buffer Result>
auto neighbour_all_gatherv_form(const char* call, const Where& where, Elements&& elements, Result&& result,
                                const integers& result_counts) {
    assert_exchanged<Elements, Result>();
    const neighbourhood& links = neighbours_of(where);
    const auto both = checked_buffers(links, [&] {
        return neighbour_buffers{{repeated, call, elements, links.destinations().size()},
                                 {call, "result", result, links.sources().size(), result_counts}};
    });
    return Form::watch(call, links,
                       begin_exchange<Form>(call, links, both.out.all(), both.in.all(), true, false),
                       elements, result);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/begin_exchange.ipp>
#endif
