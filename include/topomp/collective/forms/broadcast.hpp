// SPDX-License-Identifier: BSL-1.0
/// @file
/// Broadcasts that do not wait.
#pragma once

#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// The forms of broadcast that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto broadcast_form(const char* call, const hierarchy& levels, message what, int root, Policy = {}) {
    const std::size_t bytes = check_broadcast(call, levels, what, root);
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, broadcast_arguments{what, root}, call,
        Form::template choose<verb::broadcast, Policy>(levels, bytes, true,
                                                       {.call = call, .root = root, .data = what}));
}
template <class Form, writable_buffer Elements, policy Policy = automatic>
auto broadcast_form(const char* call, const hierarchy& levels, Elements&& elements, int root,
                    Policy policy = {}) {
    assert_outlives<Elements>();
    return Form::watch(call, levels, broadcast_form<Form>(call, levels, message_of(elements), root, policy),
                       elements);
}
template <class Form, single_value T, policy Policy = automatic>
auto broadcast_form(const char* call, const hierarchy& levels, T& value, int root, Policy policy = {}) {
    return broadcast_form<Form>(call, levels, message_of_value(value), root, policy);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/broadcast_forms.ipp>
#endif
