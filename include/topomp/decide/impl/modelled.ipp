// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/modelled.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/algorithm.hpp>

#include <bit>
#include <limits>

namespace topo::detail {

TOPOMP_INLINE plan choose_by_model(const call_key& now) {
    const modelled_machine<usual_messages> machine{
        {kind::cluster, kind::machine},
        {{now.nodes(), usual_between_nodes}, {now.ranks_of_node, usual_inside_node}}};
    plan fastest = choose(now);
    double least = std::numeric_limits<double>::infinity();
    for (const candidate& each : candidates) {
        const plan& one = *each.between_nodes;
        if (!serves(one.uses, now.what)) continue;
        if (!now.is_commutative && !(one.uses == algorithm::tree && one.tree.keeps_order())) continue;
        const auto seconds = predicted(machine, one, now);
        if (!seconds || *seconds >= least) continue;
        least = *seconds;
        fastest = one;
    }
    return fastest;
}

TOPOMP_INLINE const plan& modelled_choices::of(call_key now) {
    now.bytes = std::bit_ceil(now.bytes);
    const auto [at, is_new] = chosen_.try_emplace({now.what, now.is_commutative, now.bytes});
    if (is_new) at->second = choose_by_model(now);
    return at->second;
}

} // namespace topo::detail
