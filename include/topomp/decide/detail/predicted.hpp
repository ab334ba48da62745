// SPDX-License-Identifier: BSL-1.0
/// @file
/// The machine that models know, and the modelled time along trees.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/tree/node_aware_tree.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/rounds_time.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// A machine of groups, as the models assume it.
template <model::message_model Model>
struct modelled_machine {
    std::vector<kind> inside; ///< of each level, outermost first: what contains its members
    std::vector<model::level_model<Model>> levels; ///< as many
    double combine_per_byte = 0;   ///< seconds that a rank takes to combine a byte with its own
    model::uneven_groups uneven{}; ///< if groups differ in size; `levels` has the largest
    double memory_per_byte = 0;    ///< seconds until each rank of a node has received a byte inside it
    double receive_per_byte = 0;   ///< seconds that a rank of a tree copies an operand before it combines it

    std::span<const model::level_model<Model>> all() const { return levels; }
};

/// The depth at which nodes begin, or the objects taken as nodes if all ranks are in one machine, as in
/// level_communicators::part_root.
template <model::message_model Model>
std::size_t depth_of_nodes(const modelled_machine<Model>& machine, machine_part stands_in) {
    const auto& inside = machine.inside;
    auto node = std::ranges::find_if_not(inside, joins_nodes);
    if (node == inside.begin() && !inside.empty()) {
        ++node;
        if (stands_in == machine_part::numa_node)
            if (const auto numa = std::ranges::find(inside, kind::numa_node); numa != inside.end())
                node = numa;
    }
    return static_cast<std::size_t>(node - inside.begin());
}

/// The same machine of two levels: nodes, and the ranks of each, at the cost of the most distant ones.
template <model::message_model Model>
modelled_machine<Model> with_two_levels(const modelled_machine<Model>& machine) {
    const std::size_t node = depth_of_nodes(machine, machine_part::numa_node);
    modelled_machine<Model> result = machine;
    result.inside.clear();
    result.levels.clear();
    for (std::size_t depth = 0; depth < machine.levels.size(); ++depth) {
        if (depth == 0 || depth == node) {
            result.inside.push_back(machine.inside[depth]);
            result.levels.push_back(machine.levels[depth]);
        } else {
            result.levels.back().members *= machine.levels[depth].members;
        }
    }
    return result;
}

/// Seconds of a broadcast by `node_aware_postal`, with contention of a node's messages at its link.
/// @cost p log p for p ranks
template <model::message_model Model>
double predicted_node_aware(const modelled_machine<Model>& machine, node_aware_rule rule, double bytes,
                            double combine_per_byte = 0) {
    constexpr int many = 1 << 20;
    std::vector<model::message_cost> costs;
    std::vector<double> on_link; // of one of very many messages
    for (const auto& level : machine.levels) {
        costs.push_back(model::combined(level.messages.cost(bytes), bytes * combine_per_byte));
        on_link.push_back(level.messages.cost(bytes, many).gap / many);
    }
    std::vector<int> size(machine.levels.size()); // of a member of each level
    int ranks = 1;
    for (std::size_t depth = size.size(); depth-- > 0;) {
        size[depth] = ranks;
        ranks *= machine.levels[depth].members;
    }
    if (ranks == 1) return 0;
    const int part = size[depth_of_nodes(machine, machine_part::widest) - 1];

    std::vector<int> lowest(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        lowest[static_cast<std::size_t>(rank)] = rank / part * part;
    // The times at which ranks and nodes' links become free.
    std::vector<double> ready(lowest.size(), 0), link(lowest.size(), 0);
    double last = 0;
    const ranks_by_node nodes{lowest};
    node_aware_tree{nodes}.send_all(0, rule, [&](int from, int to, int) {
        std::size_t depth = 0;
        while (from / size[depth] == to / size[depth])
            ++depth;
        double& sender = ready[static_cast<std::size_t>(from)];
        double& carrier = link[static_cast<std::size_t>(from / part * part)];
        const bool leaves_node = from / part != to / part;
        const double start = leaves_node ? std::max(sender, carrier) : sender;
        const double arrives = start + costs[depth].time;
        if (leaves_node) carrier = start + on_link[depth];
        sender = start + costs[depth].gap;
        ready[static_cast<std::size_t>(to)] = arrives;
        last = std::max(last, arrives);
    });
    return last;
}

/// A plan's shape for each level.
template <model::message_model Model>
std::vector<any_shape> shapes_for(const modelled_machine<Model>& machine, const tree_plan& plan) {
    std::vector<any_shape> shapes;
    for (const kind inside : machine.inside) {
        level_info info;
        info.type = inside;
        const bool is_between = plan.through != node_leader::none && shapes.empty();
        shapes.push_back(is_between ? plan.along() : plan.shape_for(info));
    }
    return shapes;
}

/// Seconds of a broadcast down a tree, or of a reduction up it, if combining takes any time; or of a
/// broadcast in halves, if there is a plan for the other one.
template <model::message_model Model>
double predicted_tree(const modelled_machine<Model>& all, const tree_plan& plan, double bytes,
                      double combine_per_byte = 0, const tree_plan* other_half = nullptr) {
    // The memory of a node is busy with all its ranks' messages, after the first segment has come through.
    const double together = bytes * all.memory_per_byte;
    if (plan.node_aware)
        return predicted_node_aware(all, plan.node_aware, bytes, combine_per_byte) + together;
    const auto machine = plan.through == node_leader::none ? all : with_two_levels(all);
    if (other_half != nullptr) bytes /= 2;
    const auto segment = static_cast<double>(plan.segment_bytes);
    const double piece = segment > 0 ? std::min(segment, bytes) : bytes;
    const double pieces = piece > 0 ? std::ceil(bytes / piece) : 1;
    const auto shapes = shapes_for(machine, plan);
    const auto costs = model::costs_of(machine.all(), piece, combine_per_byte);
    const auto time = [&](double number) {
        return other_half == nullptr
                   ? model::broadcast_time(shapes, costs, number)
                   : model::split_broadcast_time(shapes, shapes_for(machine, *other_half), costs, number);
    };
    // Until a node has the first segment.
    const double at_node = model::broadcast_time({shapes.data(), 1}, std::span{costs}.first(1));
    return std::max(time(pieces), at_node + together);
}

/// Seconds of an all_reduce up and down a tree. Both directions are used at the same time, but a rank serves
/// one message after the other.
template <model::message_model Model>
double predicted_tree_there_and_back(const modelled_machine<Model>& machine, const tree_plan& plan,
                                     double bytes, double combine_per_byte) {
    const auto segment = static_cast<double>(plan.segment_bytes);
    const double first = predicted_tree(machine, plan, segment > 0 ? std::min(bytes, segment) : bytes);
    return std::max(predicted_tree(machine, plan, bytes, combine_per_byte) +
                        predicted_tree(machine, plan, bytes),
                    2 * (first + bytes * machine.memory_per_byte));
}

} // namespace topo::detail
