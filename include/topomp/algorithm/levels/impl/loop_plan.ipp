// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/level.hpp>

namespace topo::detail {

TOPOMP_INLINE const loop_rule& loop_plan::rule_for(const level_info& level) const {
    for (const loop_rule& rule : rules)
        if (rule.is_default || level.is(rule.which)) return rule;
    return rules.back();
}

} // namespace topo::detail
