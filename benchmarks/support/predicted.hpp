// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the cost models say of what `automatic` chooses.
#pragma once

#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/model/rounds_time.hpp>
#include <topomp/policy/tuned.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace topo_bench {

/// Seconds of a broadcast down a tree, or of a reduction up it, where combining takes no time.
inline double predicted_tree(const topo::model::machine_parameters& machine,
                             const topo::detail::tree_plan& plan, double bytes) {
    const auto segment = static_cast<double>(plan.segment_bytes);
    const double piece = segment > 0 ? std::min(segment, bytes) : bytes;
    std::vector<topo::any_shape> shapes;
    for (const auto& level : machine.levels) {
        topo::level_info info;
        info.type = level.inside;
        shapes.push_back(plan.shape_for(info));
    }
    const auto levels = machine.models();
    return topo::model::broadcast_time(shapes, topo::model::costs_of(std::span{levels}, piece),
                                       piece > 0 ? std::ceil(bytes / piece) : 1);
}

/// Seconds of a verb by a choice; nothing where there is no model. @param now `bytes` as a choice wants them
inline std::optional<double> predicted(const topo::model::machine_parameters& machine,
                                       const topo::detail::selection& chosen,
                                       const topo::detail::situation& now) {
    using topo::detail::verb;
    using topo::detail::way;
    const auto levels = machine.models();
    const auto bytes = static_cast<double>(now.bytes);
    const topo::model::exchanges<topo::model::measured_messages> exchange{levels};
    const topo::model::rounds<topo::model::measured_messages> rounds{levels, std::max(2, chosen.radix)};
    const bool is_tree = chosen.how == way::tree && !chosen.plan.ignores_placement;
    switch (now.what) {
    case verb::barrier:
        if (chosen.how == way::recursive_doubling) return rounds.barrier();
        return is_tree ? std::optional{2 * predicted_tree(machine, chosen.plan, 0)} : std::nullopt;
    case verb::broadcast:
    case verb::reduce:
        return is_tree ? std::optional{predicted_tree(machine, chosen.plan, bytes)} : std::nullopt;
    case verb::all_reduce:
        if (chosen.how == way::recursive_doubling) return rounds.all_reduce(bytes);
        if (chosen.how == way::rabenseifner)
            return rounds.splitting_all_reduce(bytes, static_cast<double>(chosen.whole_bytes));
        if (!is_tree) return std::nullopt;
        // The first segment goes up and down; behind it both ways are taken at a time.
        return predicted_tree(machine, chosen.plan, bytes) +
               predicted_tree(machine, chosen.plan,
                              chosen.plan.segment_bytes > 0
                                  ? std::min(bytes, static_cast<double>(chosen.plan.segment_bytes))
                                  : bytes);
    case verb::all_gather:
        if (chosen.how == way::recursive_doubling) return rounds.all_gather(bytes);
        return chosen.how == way::ring ? std::optional{exchange.ring_all_gather(bytes)} : std::nullopt;
    case verb::reduce_scatter:
        if (chosen.how == way::recursive_halving) return rounds.reduce_scatter(bytes / now.ranks);
        return std::nullopt;
    case verb::all_to_all:
        return chosen.how == way::pairwise ? std::optional{exchange.pairwise_all_to_all(bytes)}
                                           : std::nullopt;
    default:
        return std::nullopt;
    }
}

} // namespace topo_bench
