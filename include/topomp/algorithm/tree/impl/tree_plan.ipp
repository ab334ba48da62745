// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/level.hpp>

namespace topo::detail {

TOPOMP_INLINE const any_shape& tree_plan::shape_for(const level_info& level) const {
    for (const level_rule& rule : rules)
        if (rule.is_default || level.is(rule.which)) return rule.shape;
    return rules.back().shape;
}

} // namespace topo::detail
