// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/trail.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::string kinds_text(const std::vector<kind>& also,
                                                   const std::vector<kind>& ranks_within) {
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
