// SPDX-License-Identifier: BSL-1.0
/// @file
/// Barriers that do not wait.
#pragma once

#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// The forms of barrier that do not wait, as the blocking ones take their arguments.
/// @tparam Form `at_once` or `when_started` @param call as errors name it
template <class Form, policy Policy = automatic>
auto barrier_form(const char* call, const hierarchy& levels, Policy = {}) {
    return begin<only_algorithm<Policy>, typename Form::begins>(
        levels, barrier_arguments{}, call,
        Form::template choose<verb::barrier, Policy>(levels, 0, true, {.call = call}));
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/barrier_forms.ipp>
#endif
