// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nested groups of equal size, and the cost of a message in each.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::model {

/// A level of a machine whose groups are equal. Levels are listed outermost first, and ranks are numbered
/// group by group: `{{10, network}, {2, sockets}, {12, socket}}` are 240 ranks, of which 0 to 23 share a
/// node.
template <message_model Model>
struct level_model {
    int members = 1; ///< groups or ranks among which data moves here
    Model messages;  ///< between two of them
};

/// The same for messages of one length.
struct level_cost {
    int members = 1;      ///< as in `level_model`
    message_cost message; ///< between two of them
};

/// What messages of `bytes` cost at each level, one at a time. `combine_per_byte`: seconds that a receiver
/// needs to combine a byte with its own, 0 where nothing is combined
template <message_model Model>
std::vector<level_cost> costs_of(std::span<const level_model<Model>> levels, double bytes,
                                 double combine_per_byte = 0) {
    std::vector<level_cost> result;
    for (const auto& level : levels)
        result.push_back({level.members, combined(level.messages.cost(bytes, 1), bytes * combine_per_byte)});
    return result;
}

/// Ranks in each member of level `depth`: 1 in the innermost.
template <class Level>
long long ranks_inside(std::span<const Level> levels, std::size_t depth) {
    long long ranks = 1;
    for (const Level& level : levels.subspan(depth + 1))
        ranks *= level.members;
    return ranks;
}

/// Ranks in all.
template <class Level>
long long ranks_of(std::span<const Level> levels) {
    return levels.empty() ? 1 : levels.front().members * ranks_inside(levels, 0);
}

/// The outermost level in which two different ranks are in different members: a message between them uses its
/// links.
template <class Level>
std::size_t level_between(std::span<const Level> levels, int a, int b) {
    std::size_t depth = 0;
    while (depth + 1 < levels.size() && a / ranks_inside(levels, depth) == b / ranks_inside(levels, depth))
        ++depth;
    return depth;
}

} // namespace topo::model
