// SPDX-License-Identifier: BSL-1.0
/// @file
/// Policies as text, for programs that learn at run time which to use.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>

#include <algorithm>
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
inline any_shape read_shape(std::string_view call, const std::string& where, std::string_view name) {
    const auto found = std::ranges::find(named_shapes, name, [](const auto& each) { return each.first; });
    if (found != named_shapes.end()) return found->second;
    std::string known;
    for (const auto& each : named_shapes)
        known.append(known.empty() ? "" : ", ").append(each.first);
    throw argument_error(call, where, "there is no shape '" + std::string{name} + "'; known are " + known);
}

/// Rules such as `Cluster=4-nomial,Machine=linear,binary`: a shape for each kind of level, and at the end one
/// for all others. @throws argument_error naming `call` and `where`
inline std::vector<level_rule> read_rules(std::string_view call, const std::string& where,
                                          const std::string& text) {
    std::vector<level_rule> rules;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto comma = std::min(rest.find(','), rest.size());
        const std::string_view rule = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        const auto equals = rule.find('=');
        if (!rules.empty() && rules.back().is_default)
            throw argument_error(call, where, "the shape for all other levels must be the last");
        if (equals == rule.npos) {
            rules.push_back({kind::cluster, true, read_shape(call, where, rule)});
            continue;
        }
        const std::string name{rule.substr(0, equals)};
        const auto which = name == "Cluster" ? kind::cluster : kind_from_string(name);
        if (!which) throw argument_error(call, where, "there is no kind '" + name + "'");
        rules.push_back({*which, false, read_shape(call, where, rule.substr(equals + 1))});
    }
    if (rules.empty() || !rules.back().is_default)
        throw argument_error(call, where, "a shape for all other levels is missing at the end");
    return rules;
}

} // namespace topo::detail
