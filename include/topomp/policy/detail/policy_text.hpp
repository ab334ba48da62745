// SPDX-License-Identifier: BSL-1.0
/// @file
/// Policies as text, for programs that learn at run time which to use.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/error.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

inline constexpr std::array<std::pair<std::string_view, any_shape>, 23> named_shapes{{
    {"linear", any_shape::of<linear>()},
    {"chain", any_shape::of<chain>()},
    {"binary", any_shape::of<binary>()},
    {"3-ary", any_shape::of<k_ary<3>>()},
    {"4-ary", any_shape::of<k_ary<4>>()},
    {"6-ary", any_shape::of<k_ary<6>>()},
    {"8-ary", any_shape::of<k_ary<8>>()},
    {"binomial", any_shape::of<binomial>()},
    {"3-nomial", any_shape::of<k_nomial<3>>()},
    {"4-nomial", any_shape::of<k_nomial<4>>()},
    {"5-nomial", any_shape::of<k_nomial<5>>()},
    {"6-nomial", any_shape::of<k_nomial<6>>()},
    {"8-nomial", any_shape::of<k_nomial<8>>()},
    {"16-nomial", any_shape::of<k_nomial<16>>()},
    {"postal-2", any_shape::of<postal<2>>()},
    {"postal-3", any_shape::of<postal<3>>()},
    {"postal-4", any_shape::of<postal<4>>()},
    {"postal-5", any_shape::of<postal<5>>()},
    {"postal-6", any_shape::of<postal<6>>()},
    {"postal-8", any_shape::of<postal<8>>()},
    {"postal-12", any_shape::of<postal<12>>()},
    {"postal-16", any_shape::of<postal<16>>()},
    {"in_order_binary", any_shape::of<in_order_binary>()},
}};

/// A shape by its name. @throws argument_error naming `call` and `where` if there is none such
any_shape read_shape(std::string_view call, const std::string& where, std::string_view name);

/// Rules such as `Cluster=4-nomial,Machine=linear,binary`: a shape for each kind of level, and at the end one
/// for all others. @throws argument_error naming `call` and `where`
std::vector<level_rule> read_rules(std::string_view call, const std::string& where, const std::string& text);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/policy/impl/policy_text.ipp>
#endif
