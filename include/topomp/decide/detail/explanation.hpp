// SPDX-License-Identifier: BSL-1.0
/// @file
/// The text of `explain`, from a key.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <string>
#include <string_view>

namespace topo::detail {

/// A heading, the plan that is chosen, and up to three next ones, a line each: the plan, its microseconds,
/// and where these are from.
std::string explain(call_key now, const cost_sources& known);

/// @throws argument_error naming the verbs there are
verb verb_of(std::string_view call, std::string_view name);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/explain.ipp>
#endif
