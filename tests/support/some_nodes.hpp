// SPDX-License-Identifier: BSL-1.0
/// @file
/// Random nodes for tests of trees that know which ranks share one.
#pragma once

#include <map>
#include <random>
#include <vector>

namespace topo_test {

/// Nodes of any sizes, ranks anywhere: each rank's node, by its lowest rank.
inline std::vector<int> some_nodes(std::mt19937& random) {
    const auto up_to = [&](int most) { return std::uniform_int_distribution{1, most}(random); };
    const int ranks = up_to(60), nodes = up_to(ranks);
    std::vector<int> lowest;
    std::map<int, int> first; // by the number of a node
    for (int rank = 0; rank < ranks; ++rank)
        lowest.push_back(first.try_emplace(up_to(nodes), rank).first->second);
    return lowest;
}

} // namespace topo_test
