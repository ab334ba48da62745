// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/machine_description.hpp>
#include <topomp/hardware/detail/switch_tree.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/topology.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE machine::machine(std::vector<node> nodes) : nodes_(std::move(nodes)) {
    if (nodes_.empty()) throw argument_error("topo::machine", "list of nodes", "it is empty");
    const auto switches = std::make_shared<detail::switch_tree>();
    innermost_.reserve(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const bool is_as_before = i > 0 && nodes_[i].switches == nodes_[i - 1].switches;
        innermost_.push_back(is_as_before ? innermost_.back() : switches->at(nodes_[i].switches));
        switches->add_node(innermost_.back());
    }
    switches_ = switches;
}

TOPOMP_INLINE machine machine::uniform(topology hardware, int count) {
    if (count < 1)
        throw argument_error("topo::machine::uniform", "number of nodes",
                             std::to_string(count) + " is not at least 1");
    const auto shared = std::make_shared<const topology>(std::move(hardware));
    std::vector<node> nodes;
    for (int i = 0; i < count; ++i)
        nodes.push_back({"node" + std::to_string(i), {}, shared});
    return machine{std::move(nodes)};
}

TOPOMP_INLINE machine machine::under(const network& source) const {
    std::vector<node> nodes = this->nodes();
    for (node& each : nodes)
        each.switches = source.switches_of(each.name);
    return machine{std::move(nodes)};
}

TOPOMP_INLINE const std::vector<machine::node>& machine::nodes() const {
    if (nodes_.empty())
        throw usage_error("topo::machine", "machine", "it was moved from: assign another one to it first");
    return nodes_;
}

TOPOMP_INLINE place machine::place_of(const seat& s) const {
    const node& home = at(s.node);
    const cpu_set outside = s.cpus.without(home.hardware->cpus());
    if (!outside.empty())
        throw argument_error("topo::machine::place_of", home.name,
                             "it has no CPU " + to_string(outside) + " (its CPUs are " +
                                 to_string(home.hardware->cpus()) + ')');
    std::vector<hardware_object> path;
    for (const auto& name : home.switches)
        path.push_back({kind::network_switch, 0, name});
    path.push_back({kind::machine, s.node, home.name});
    const auto filling = switches_->filling(innermost_[static_cast<std::size_t>(s.node)]);
    for (std::size_t i = 0; i < path.size(); ++i)
        path[i].fills_outer = filling[i];
    auto inside = home.hardware->path_of(s.cpus);
    path.insert(path.end(), std::make_move_iterator(inside.begin() + 1),
                std::make_move_iterator(inside.end()));
    return place{std::move(path)};
}

TOPOMP_INLINE const machine::node& machine::at(int index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= nodes().size())
        throw argument_error("topo::machine::place_of", "node " + std::to_string(index),
                             "the machine has " + std::to_string(nodes_.size()) + " nodes, numbered from 0");
    return nodes_[static_cast<std::size_t>(index)];
}

} // namespace topo
