// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks are on which node, where nodes have different numbers of ranks or ranks are dealt in turn.
#pragma once

#include "record.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace topo_bench {

/// The node of each rank, and its number there.
class node_map {
public:
    /// Reads the number of each node's ranks: `16,16,8`, rank after rank on each; behind `dealt,` rank after
    /// rank over the nodes that have room, as a hosts file of SimGrid lists them.
    static node_map read(const std::string& text) {
        auto parts = words(text);
        const bool is_dealt = !parts.empty() && parts.front() == "dealt";
        if (is_dealt) parts.erase(parts.begin());
        node_map made;
        for (const auto& part : parts)
            made.sizes_.push_back(std::stoi(part));
        if (made.sizes_.empty() || std::ranges::min(made.sizes_) < 1)
            throw std::runtime_error("--nodes wants the ranks of each node, as in 16,16,8 or dealt,16,16,8");
        const int most = std::ranges::max(made.sizes_), nodes = static_cast<int>(made.sizes_.size());
        for (int outer = 0; outer < (is_dealt ? most : nodes); ++outer)
            for (int inner = 0; inner < (is_dealt ? nodes : made.sizes_[static_cast<std::size_t>(outer)]);
                 ++inner) {
                const auto [node, index] = is_dealt ? std::pair{inner, outer} : std::pair{outer, inner};
                if (index < made.sizes_[static_cast<std::size_t>(node)]) made.at_.push_back({node, index});
            }
        return made;
    }

    int nodes() const { return static_cast<int>(sizes_.size()); }
    int size_of(int node) const { return sizes_[static_cast<std::size_t>(node)]; }
    int largest() const { return std::ranges::max(sizes_); }
    /// Node and number there.
    std::pair<int, int> at(int rank) const { return at_[static_cast<std::size_t>(rank)]; }
    int ranks() const { return static_cast<int>(at_.size()); }

    /// The ranks' cores on a machine whose nodes have at least as many; or on one node, of which these are
    /// parts of as many cores as the largest has ranks, such as its NUMA nodes.
    topo::placement on(const topo::machine& machine) const {
        const bool are_parts = machine.nodes().size() == 1;
        std::vector<topo::seat> seats;
        for (const auto& [node, index] : at_) {
            const auto inside = static_cast<std::size_t>(are_parts ? 0 : node);
            const int core = are_parts ? node * largest() + index : index;
            seats.push_back({static_cast<int>(inside), machine.nodes()[inside].hardware->core(core)});
        }
        return topo::placement::list(std::move(seats));
    }

    /// All ranks, node after node.
    std::vector<int> by_node() const {
        std::vector<int> order(at_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](int rank) { return at(rank); });
        return order;
    }

private:
    std::vector<int> sizes_;
    std::vector<std::pair<int, int>> at_;
};

} // namespace topo_bench
