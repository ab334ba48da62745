// SPDX-License-Identifier: BSL-1.0
/// @file
/// A description of hardware with one or many nodes, real or made up.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/topology.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace topo {

namespace detail {
class switch_tree;
} // namespace detail

/// Where one rank is put: a node of a machine, by its number, and CPUs of that node.
struct seat {
    int node = 0; ///< its number in `machine::nodes()`
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
        std::string name;                         ///< as the host is called
        std::vector<std::string> switches;        ///< above the node, outermost first
        std::shared_ptr<const topology> hardware; ///< never null
    };

    /// A machine of these nodes, in this order.
    explicit machine(std::vector<node> nodes);

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
    static machine uniform(topology hardware, int count = 1);

    /// The same machine with its nodes under the switches that a network gives for hosts of their names.
    /// @throws as `network::switches_of`
    machine under(const network& source) const;

    /// All nodes, by their number.
    const std::vector<node>& nodes() const;

    /// Where a rank in this seat may run. @throws argument_error if the machine has no such node or CPU
    place place_of(const seat& s) const;

private:
    const node& at(int index) const;

    std::vector<node> nodes_;
    std::shared_ptr<const detail::switch_tree> switches_;
    std::vector<std::size_t> innermost_; ///< of each node: the position of the switch right above it
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/machine.ipp>
#endif
