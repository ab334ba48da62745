// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/explanation.hpp>
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

TOPOMP_INLINE std::string line_of(const ranked_plan& each) {
    std::array<char, 64> time{};
    if (each.seconds)
        std::snprintf(time.data(), time.size(), "%10.1f us  ", *each.seconds * 1e6);
    else
        std::snprintf(time.data(), time.size(), "%10s     ", "-");
    std::string text = "  " + to_string(each.what);
    constexpr std::size_t width = 84;
    text.resize(std::max(width, text.size()), ' ');
    return text + time.data() + std::string{to_string(each.from)} + '\n';
}

TOPOMP_INLINE std::string explain(call_key now, const cost_sources& known) {
    // The key that the verbs make.
    if (!has_length(now.what)) now.bytes = 0;
    if (is_scan(now.what)) now.is_commutative = false;
    const auto all = rank_plans(now, known);
    std::string text = text_of_key(now) + '\n' + line_of(all.front());
    constexpr std::size_t next = 3;
    if (all.size() > 1) text += "next\n";
    for (std::size_t i = 1; i < std::min(all.size(), next + 1); ++i)
        text += line_of(all[i]);
    return text;
}

} // namespace detail

TOPOMP_INLINE std::string explain(const hierarchy& levels, std::string_view verb, std::size_t bytes,
                                  bool is_commutative) {
    const auto what = detail::verb_of("topo::explain", verb);
    const auto& decided = detail::decisions::of(levels);
    return detail::explain(decided.key_of(what, bytes, is_commutative), decided.sources());
}

} // namespace topo
