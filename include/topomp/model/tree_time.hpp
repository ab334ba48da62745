// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long a message takes down a tree in segments.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <vector>

namespace topo::model {

/// The seconds until all ranks of a tree have all segments of a message that rank `root` has. Every rank
/// sends a segment to all its children before the next segment, and only after it has received all of it.
///
/// A rank whose children take B seconds of it per segment receives segment j at P + j M, where P is the
/// arrival time of the first segment and M the greatest B of the ranks above it: as in any pipeline, the
/// slowest stage determines the rate. A reduction is the same backwards, and takes as long if each message
/// costs what combining costs besides (`combined`).
///
/// @param segments at least 1
/// @param children `children(rank, send)` calls `send(child, cost)` for each child of a rank in the order in
/// which it sends to them, with the cost of a segment. A negative child stands for time that the rank spends
/// on a rank outside this tree
/// @cost linear in the number of ranks
template <class Children>
double tree_time(int root, double segments, Children children) {
    struct message {
        int rank;
        message_cost cost;
    };
    struct holder {
        int rank;
        double first; ///< when it has the first segment
        double pace;  ///< seconds between the segments that it receives
    };
    std::vector<message> messages;
    std::vector<holder> open{{root, 0, 0}};
    double last = 0;
    while (!open.empty()) {
        const holder here = open.back();
        open.pop_back();
        last = std::max(last, here.first + (segments - 1) * here.pace);
        messages.clear();
        double busy = 0;
        children(here.rank, [&](int child, const message_cost& cost) {
            messages.push_back({child, cost});
            busy += cost.gap;
        });
        const double pace = std::max(here.pace, busy);
        double start = here.first;
        for (const message& each : messages) {
            if (each.rank >= 0) open.push_back({each.rank, start + each.cost.time, pace});
            start += each.cost.gap;
        }
    }
    return last;
}

} // namespace topo::model
