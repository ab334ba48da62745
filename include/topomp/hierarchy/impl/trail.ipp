// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/options.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE trail make_trail(const place& where, const hierarchy_options& options) {
    trail steps;
    each_step(
        where.path(), options,
        [&](const hardware_object& object, object_key key, bool fills_outer, const hardware_object* node) {
            std::string name = to_string(object);
            if (node != nullptr) name = to_string(*node) + '/' + name;
            steps.push_back({object.kind, key, std::move(name), fills_outer});
        });
    return steps;
}

TOPOMP_INLINE std::string kinds_text(const std::vector<kind>& also, const std::vector<kind>& ranks_within) {
    std::string text;
    const auto add = [&](const char* words, const std::vector<kind>& kinds) {
        if (kinds.empty()) return;
        if (!text.empty()) text += "; ";
        for (const kind each : kinds)
            text.append(std::exchange(words, ", ")).append(to_string(each));
    };
    add("also ", also);
    add("ranks within ", ranks_within);
    return text;
}

TOPOMP_INLINE kind innermost_kind(kind type, const std::vector<kind>& also, const std::vector<kind>& within) {
    // The larger objects around a whole are switches, and stand first.
    if (within.empty() || within.back() == kind::network_switch) return type;
    const bool is_in_core = type == kind::core ||
                            std::find(also.begin(), also.end(), kind::core) != also.end() ||
                            std::find(within.begin(), within.end(), kind::core) != within.end();
    return within.back() == kind::pu && is_in_core ? kind::core : within.back();
}

} // namespace topo::detail
