// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/detail/policy_text.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE any_shape read_shape(std::string_view call, const std::string& where, std::string_view name) {
    const auto found = std::ranges::find(named_shapes, name, [](const auto& each) { return each.first; });
    if (found != named_shapes.end()) return found->second;
    std::string known;
    for (const auto& each : named_shapes)
        known.append(known.empty() ? "" : ", ").append(each.first);
    throw argument_error(call, where, "there is no shape '" + std::string{name} + "'; known are " + known);
}

TOPOMP_INLINE std::vector<level_rule> read_rules(std::string_view call, const std::string& where,
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
