// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level_info.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE level_info info_of(level_kinds found, std::span<const trail_step> shared,
                                               int depth) {
    level_info info;
    info.type = found.type;
    info.also = std::move(found.also);
    info.name = shared.empty() ? std::string{to_string(found.type)} : shared[found.chosen].name;
    info.depth = depth;
    info.ranks_within = std::move(found.ranks_within);
    return info;
}

[[gnu::cold]] TOPOMP_INLINE void append_objects(std::vector<hardware_object>& path, const level_info& info) {
    const auto add = [&](kind which, bool fills_outer) {
        path.push_back({which, info.root, info.name, fills_outer});
    };
    const auto is_inside = [&](kind which) {
        return which != kind::network_switch || info.type == kind::network_switch;
    };
    for (const kind outer : info.ranks_within)
        if (!is_inside(outer)) add(outer, false);
    add(info.type, false);
    for (const kind same : info.also)
        add(same, true);
    for (const kind inner : info.ranks_within)
        if (is_inside(inner)) add(inner, false);
}

} // namespace topo::detail
