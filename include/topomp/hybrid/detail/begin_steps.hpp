// SPDX-License-Identifier: BSL-1.0
/// @file
/// A hybrid verb that does not wait: from its steps to a request, or to a persistent form.
#pragma once

#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <type_traits>

namespace topo::detail {

/// Elements of the type of a window's, in a buffer that outlives the call.
template <class T, class Elements>
constexpr void assert_elements_of() {
    static_assert(std::is_same_v<element_value_t<Elements>, T>,
                  "topo::hybrid: elements and those of the shared_window must be of one type");
    assert_outlives<Elements>();
}

struct hybrid_steps;

/// @tparam Form `at_once` or `when_started` @param call as errors name it @param add appends the steps
/// @collective over the whole the first time for each window
template <class Form>
typename Form::result begin_steps(const hierarchy& levels, const window_view& view, const char* call,
                                  function_ref<void(hybrid_steps&)> add);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/begin_steps.ipp>
#endif
