// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/detail/call_key.hpp>
#include <topomp/policy/detail/modelled.hpp>
#include <topomp/policy/detail/predicted.hpp>
#include <topomp/policy/detail/tuned.hpp>
#include <topomp/policy/detail/tuned_choice.hpp>
#include <topomp/policy/detail/way.hpp>

#include <bit>
#include <limits>

namespace topo::detail {

TOPOMP_INLINE selection choose_by_model(const call_key& now) {
    const modelled_machine<usual_messages> machine{
        {kind::cluster, kind::machine},
        {{now.nodes(), usual_between_nodes}, {now.ranks_of_node, usual_inside_node}}};
    selection fastest = choose(now);
    double least = std::numeric_limits<double>::infinity();
    for (const named_choice& each : named_choices) {
        const selection& one = each.between_nodes;
        if (!serves(one.how, now.what)) continue;
        if (!now.is_commutative && !(one.how == way::tree && one.plan.keeps_order())) continue;
        const auto seconds = predicted(machine, one, now);
        if (!seconds || *seconds >= least) continue;
        least = *seconds;
        fastest = one;
    }
    return fastest;
}

TOPOMP_INLINE const selection& modelled_choices::of(call_key now) {
    now.bytes = std::bit_ceil(now.bytes);
    const auto [at, is_new] = chosen_.try_emplace({now.what, now.is_commutative, now.bytes});
    if (is_new) at->second = choose_by_model(now);
    return at->second;
}

} // namespace topo::detail
