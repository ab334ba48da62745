// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm of each level, for data that moves level by level.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/tree/rule_list.hpp>
#include <topomp/hardware/kind.hpp>

namespace topo {
struct level_info;
}

namespace topo::detail {

/// An algorithm for the levels of one kind, or for all that no rule before it names.
struct loop_rule {
    kind which{};
    bool is_default = false;
    bool is_within = false; ///< among all ranks of the level at once; the levels inside it are passed over
    any_level_algorithm algorithm;

    friend constexpr bool operator==(const loop_rule&, const loop_rule&) = default;
};

/// The algorithm of each level.
struct loop_plan {
    rule_list<loop_rule> rules; ///< the last one is the default; they live as long as the program

    const loop_rule& rule_for(const level_info& level) const;

    friend constexpr bool operator==(const loop_plan& a, const loop_plan& b) { return a.rules == b.rules; }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/levels/impl/loop_plan.ipp>
#endif
