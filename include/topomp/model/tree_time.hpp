// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long a message takes down a tree in segments.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace topo::model {

/// The seconds until all ranks of a tree have all segments of a message that rank `root` has. Every rank
/// sends a segment to all its children before the next segment, and only after it has received all of it.
///
/// A rank that takes B seconds per segment, to receive it and to send it to its children, has children that
/// receive segment j at P + j M, where P is the arrival time of the first segment and M the greatest B of the
/// ranks above them: as in any pipeline, the slowest stage determines the rate. A reduction is the same
/// backwards, and takes as long if each message costs what combining costs besides (`combined`).
///
/// Messages over the links of different levels overlap as far as `message_cost::held` says.
///
/// @param segments at least 1
/// @param children `children(rank, send)` calls `send(child, cost, level)` for each child of a rank in the
/// order in which it sends to them, with the cost of a segment; the level may be left out. A negative child
/// stands for time that the rank spends on a rank outside this tree
/// @cost linear in the number of ranks
template <class Children>
double tree_time(int root, double segments, Children children) {
    struct message {
        int rank;
        message_cost cost;
        std::size_t level;

        double held() const { return cost.held < 0 ? cost.gap : cost.held; }
        /// Of the receiver's time.
        double received() const { return cost.held < 0 ? 0 : std::max(0.0, cost.busy - cost.held); }
    };
    constexpr std::size_t most_levels = 8; // further ones share links
    using by_level = std::array<double, most_levels>;
    struct holder {
        int rank;
        double first;    ///< when it has the first segment
        double pace;     ///< seconds between the segments that it receives
        double received; ///< seconds of its time for each of them
    };
    std::vector<message> messages;
    std::vector<holder> open{{root, 0, 0, 0}};
    double last = 0;
    while (!open.empty()) {
        const holder here = open.back();
        open.pop_back();
        last = std::max(last, here.first + (segments - 1) * here.pace);
        messages.clear();
        double busy = here.received;
        by_level on_links{};
        children(here.rank, [&](int child, const message_cost& cost, std::size_t level = 0) {
            messages.push_back({child, cost, std::min(level, most_levels - 1)});
            busy += messages.back().held();
            on_links[messages.back().level] += cost.gap;
        });
        const double pace = std::max({here.pace, busy, *std::max_element(on_links.begin(), on_links.end())});
        double free = here.first;
        by_level links_free;
        links_free.fill(here.first);
        for (const message& each : messages) {
            const double start = std::max(free, links_free[each.level]);
            if (each.rank >= 0) open.push_back({each.rank, start + each.cost.time, pace, each.received()});
            free = start + each.held();
            links_free[each.level] = start + each.cost.gap;
        }
    }
    return last;
}

} // namespace topo::model
