// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long a message takes down a tree whose ranks send to all their children at the same time.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::model {

/// The seconds until all ranks of a tree have a message that rank `root` has, if each rank starts the
/// messages to all its children together when it has it, as with MPI_Isend. Of short messages the next starts
/// a gap after the one before. Long ones share the rank's link, so that all k of them arrive together, when
/// the link has carried all: k - 1 gaps later than one alone. `tree_time` is that of ranks that send one
/// message after the other. A reduction takes as long backwards, and its combining.
///
/// @param shortest the gap between messages without data: those with a greater gap share the link
/// @param combine seconds that a rank needs to combine the message of a child; 0 in a broadcast
/// @param children `children(rank, send)` calls `send(child, cost)` for each child of a rank in the order in
/// which it starts them @cost linear in the number of ranks
template <class Children>
double concurrent_tree_time(int root, double shortest, double combine, Children children) {
    std::vector<std::pair<int, double>> open{{root, 0.0}};
    std::vector<std::pair<int, message_cost>> messages;
    double last = 0;
    while (!open.empty()) {
        const auto [rank, start] = open.back();
        open.pop_back();
        last = std::max(last, start);
        messages.clear();
        children(rank, [&](int child, const message_cost& cost) { messages.emplace_back(child, cost); });
        const auto behind = static_cast<double>(messages.size()) - 1;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const message_cost& cost = messages[i].second;
            const double turn = cost.gap > shortest ? behind : static_cast<double>(i);
            open.emplace_back(messages[i].first,
                              start + cost.time + turn * cost.gap + (behind + 1) * combine);
        }
    }
    return last;
}

} // namespace topo::model
