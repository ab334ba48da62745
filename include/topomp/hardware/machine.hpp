// SPDX-License-Identifier: BSL-1.0
/// @file
/// A description of hardware with one or many nodes, real or made up.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/switch_tree.hpp>
#include <topomp/hardware/topology.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo {

/// Where one rank is put: a node of a machine, by its number, and CPUs of that node.
struct seat {
    int node = 0;
    cpu_set cpus; ///< empty: unbound, anywhere on the node
};

/// One or many nodes, each with its own hardware, optionally under switches. Copies share the hardware.
///
/// ```
///   switch:2 node:2 package:2 core:2
///
///   switch0              switch1
///   |- node0  | P | P |  |- node2  | P | P |
///   `- node1  | P | P |  `- node3  | P | P |
/// ```
class machine {
public:
    /// One node.
    struct node {
        std::string name;
        std::vector<std::string> switches; ///< above the node, outermost first
        std::shared_ptr<const topology> hardware;
    };

    explicit machine(std::vector<node> nodes) : nodes_(std::move(nodes)) {
        if (nodes_.empty()) throw argument_error("topo::machine", "list of nodes", "it is empty");
        innermost_.reserve(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const bool is_as_before = i > 0 && nodes_[i].switches == nodes_[i - 1].switches;
            innermost_.push_back(is_as_before ? innermost_.back() : switches_.at(nodes_[i].switches));
            switches_.add_node(innermost_.back());
        }
    }

    /// Reads a description, outermost objects first, each `kind:count` inside every object before it.
    ///
    /// First any number of `switch:N`, then `node:N` (1 if left out), then what is inside a node: package,
    /// die, numa, group, l5 ... l1, core, pu, in the machine's own nesting order, each but group once. What
    /// hwloc's synthetic descriptions allow beyond that is passed on: attributes such as `l3:1(size=32MB)`
    /// and attached memory
    /// `[numa]`. A core gets one PU, and a node without cores gets one core in each innermost object, where
    /// the text says nothing else. Nodes differ by `;` between alternatives, in parentheses under a switch:
    /// `switch:2 (node:3 package:2 core:4; node:1 core:16)`.
    ///
    /// Nodes are called node0, node1, ...; switches switch0, switch1, ... and below switch0 switch0.0, ...
    /// @throws input_error naming the description and the column
    static machine parse(std::string_view description);

    /// `count` nodes of the same hardware, called node0, node1, ...
    static machine uniform(topology hardware, int count = 1) {
        if (count < 1)
            throw argument_error("topo::machine::uniform", "number of nodes",
                                 std::to_string(count) + " is not at least 1");
        const auto shared = std::make_shared<const topology>(std::move(hardware));
        std::vector<node> nodes;
        for (int i = 0; i < count; ++i)
            nodes.push_back({"node" + std::to_string(i), {}, shared});
        return machine{std::move(nodes)};
    }

    /// The same machine with its nodes under the switches that a network knows above hosts of their names.
    /// @throws as `network::switches_of`
    machine under(const network& source) const {
        std::vector<node> nodes = this->nodes();
        for (node& each : nodes)
            each.switches = source.switches_of(each.name);
        return machine{std::move(nodes)};
    }

    const std::vector<node>& nodes() const {
        if (nodes_.empty())
            throw usage_error("topo::machine", "machine",
                              "it was moved from: assign another one to it first");
        return nodes_;
    }

    /// Where a rank in this seat may run. @throws argument_error if the machine has no such node or CPU
    place place_of(const seat& s) const {
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
        const auto filling = switches_.filling(innermost_[static_cast<std::size_t>(s.node)]);
        for (std::size_t i = 0; i < path.size(); ++i)
            path[i].fills_outer = filling[i];
        auto inside = home.hardware->path_of(s.cpus);
        path.insert(path.end(), std::make_move_iterator(inside.begin() + 1),
                    std::make_move_iterator(inside.end()));
        return place{std::move(path)};
    }

private:
    const node& at(int index) const {
        if (index < 0 || static_cast<std::size_t>(index) >= nodes().size())
            throw argument_error("topo::machine::place_of", "node " + std::to_string(index),
                                 "the machine has " + std::to_string(nodes_.size()) +
                                     " nodes, numbered from 0");
        return nodes_[static_cast<std::size_t>(index)];
    }

    std::vector<node> nodes_;
    detail::switch_tree switches_;
    std::vector<detail::switch_tree::position> innermost_; ///< of each node: the switch right above it
};

} // namespace topo

#include <topomp/hardware/machine_description.hpp>
