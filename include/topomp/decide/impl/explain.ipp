// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/explanation.hpp>
#include <topomp/decide/detail/usual_messages.hpp>
#include <topomp/decide/explain.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace topo {

namespace detail {

TOPOMP_INLINE verb verb_of(std::string_view call, std::string_view name) {
    const auto found = std::ranges::find(verb_names, name);
    if (found != verb_names.end()) return static_cast<verb>(found - verb_names.begin());
    std::string known;
    for (const std::string_view each : verb_names)
        known.append(known.empty() ? "" : ", ").append(each);
    throw argument_error(call, "verb '" + std::string{name} + '\'', "it must be one of " + known);
}

TOPOMP_INLINE std::string text_of_key(const call_key& now) {
    std::string text{to_string(now.what)};
    if (has_length(now.what)) text += " of " + std::to_string(now.bytes) + " bytes";
    if (!now.is_commutative)
        text += now.has_long_block() ? ", one block much longer than others" : ", in the order of ranks";
    text += ": " + std::to_string(now.ranks) + (now.ranks == 1 ? " rank" : " ranks");
    const char* const memory = now.uses_memory && now.ranks_of_node > 1 ? ", with memory in common" : "";
    if (!now.crosses_nodes()) return text + " of one node" + memory;
    const int most = now.ranks_of_node;
    text += " on " + std::to_string(now.nodes()) + (now.nodes() == 1 ? " node of " : " nodes of ");
    if (now.is_uneven()) text += std::to_string(now.least_of_node) + " to ";
    text += std::to_string(most);
    if (now.is_interleaved) text += ", dealt in turn";
    if (now.is_oversubscribed) text += ", more than cores";
    return text + memory;
}

/// What the parameters of built-in models are called, and where they are from.
TOPOMP_INLINE usual_costs built_in_costs(const call_key& now, const cost_sources& known) {
    if (known.network != nullptr) return {known.network->name, known.network->provenance};
    return now.crosses_nodes() ? usual_network_costs : usual_node_costs;
}

TOPOMP_INLINE bool is_built_in(cost_origin from) {
    return from == cost_origin::usual_network || from == cost_origin::several_networks;
}

TOPOMP_INLINE std::string origin_of(const ranked_plan& each, const usual_costs& built_in) {
    if (!is_built_in(each.from)) return std::string{to_string(each.from)};
    const bool is_of_several = each.from == cost_origin::several_networks;
    return std::string{is_of_several ? "models of " : "model of "} + std::string{built_in.name} +
           (is_of_several ? " and others" : "");
}

TOPOMP_INLINE std::string line_of(const ranked_plan& each, const usual_costs& built_in) {
    std::array<char, 64> time{};
    if (each.seconds)
        std::snprintf(time.data(), time.size(), "%10.1f us  ", *each.seconds * 1e6);
    else
        std::snprintf(time.data(), time.size(), "%10s     ", "-");
    std::string text = "  " + to_string(each.what);
    constexpr std::size_t width = 84;
    text.resize(std::max(width, text.size()), ' ');
    return text + time.data() + origin_of(each, built_in) + '\n';
}

TOPOMP_INLINE std::string explain(call_key now, const cost_sources& known) {
    // The key that the verbs make.
    if (!has_length(now.what)) now.bytes = 0;
    if (is_scan(now.what)) now.is_commutative = false;
    constexpr std::size_t next = 3;
    auto all = rank_at_least(next + 1, now, known);
    all.resize(std::min(all.size(), next + 1));
    const usual_costs built_in = built_in_costs(now, known);
    std::string text = text_of_key(now) + '\n' + line_of(all.front(), built_in);
    if (all.size() > 1) text += "next\n";
    for (std::size_t i = 1; i < all.size(); ++i)
        text += line_of(all[i], built_in);
    if (std::ranges::any_of(all, is_built_in, &ranked_plan::from))
        text.append(built_in.name).append(": ").append(built_in.provenance).append("\n");
    return text;
}

} // namespace detail

TOPOMP_INLINE std::string explain(const hierarchy& levels, std::string_view verb, std::size_t bytes,
                                  bool is_commutative) {
    const auto what = detail::verb_of("topo::explain", verb);
    auto& decided = detail::decisions::of(levels);
    return detail::explain(decided.key_of(what, bytes, is_commutative), decided.sources());
}

} // namespace topo
