// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the cost models say of a choice.
#pragma once

#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/rounds_time.hpp>
#include <topomp/policy/situation.hpp>
#include <topomp/policy/way.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace topo::detail {

/// A machine whose groups are all alike, as models see it.
template <model::message_model Model>
struct modelled_machine {
    std::vector<kind> inside; ///< of each level, outermost first: what contains its members
    std::vector<model::level_model<Model>> levels; ///< as many

    std::span<const model::level_model<Model>> all() const { return levels; }
};

/// Seconds of a broadcast down a tree, or of a reduction up it, where combining takes no time.
template <model::message_model Model>
double predicted_tree(const modelled_machine<Model>& machine, const tree_plan& plan, double bytes) {
    const auto segment = static_cast<double>(plan.segment_bytes);
    const double piece = segment > 0 ? std::min(segment, bytes) : bytes;
    std::vector<any_shape> shapes;
    for (const kind inside : machine.inside) {
        level_info info;
        info.type = inside;
        shapes.push_back(plan.shape_for(info));
    }
    return model::broadcast_time(shapes, model::costs_of(machine.all(), piece),
                                 piece > 0 ? std::ceil(bytes / piece) : 1);
}

/// Seconds of a verb by a choice; nothing where there is no model. @param now `bytes` as a choice wants them
/// @cost linear in the number of ranks
template <model::message_model Model>
std::optional<double> predicted(const modelled_machine<Model>& machine, const selection& chosen,
                                const situation& now) {
    const auto bytes = static_cast<double>(now.bytes);
    const model::exchanges<Model> exchange{machine.all()};
    const model::rounds<Model> rounds{machine.all(), std::max(2, chosen.radix)};
    const bool is_tree = chosen.how == way::tree && !chosen.plan.ignores_placement;
    switch (now.what) {
    case verb::barrier:
        if (chosen.how == way::recursive_doubling) return rounds.barrier();
        return is_tree ? std::optional{2 * predicted_tree(machine, chosen.plan, 0)} : std::nullopt;
    case verb::broadcast:
    case verb::reduce: // a part for everybody, and back; what is combined takes no time
        if (chosen.how == way::recursive_doubling || chosen.how == way::rabenseifner)
            return rounds.splitting_all_reduce(bytes, 0);
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

} // namespace topo::detail
