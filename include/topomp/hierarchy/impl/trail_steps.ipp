// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/options.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE void sort_kinds(std::vector<kind>& kinds) {
    for (std::size_t end = 1; end < kinds.size(); ++end)
        for (std::size_t i = end; i > 0 && kinds[i] < kinds[i - 1]; --i)
            std::swap(kinds[i], kinds[i - 1]);
}

[[gnu::cold]] TOPOMP_INLINE trail make_trail(const place& where, const hierarchy_options& options) {
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

} // namespace topo::detail
