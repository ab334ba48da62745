// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/model/least_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <string_view>
#include <vector>

namespace topo::model {

TOPOMP_INLINE least_times::least_times(const machine_parameters& machine) : levels_(machine.models()) {
    for (const auto& each : machine.levels)
        outside_rates_.push_back(each.outside_rate);
    for (const auto& each : machine.copies)
        copy_rate_ = std::max(copy_rate_, each.bytes_per_second);
    const auto all = std::span{levels_};
    if (const auto ranks = ranks_of(std::span<const level_model<measured_messages>>{all}); ranks > 1)
        spread_ = spread(ranks);
}

TOPOMP_INLINE std::optional<double> least_times::seconds(std::string_view verb, double bytes) const {
    const auto passes = passing_of(verb);
    if (!passes) return std::nullopt;
    const auto all = std::span<const level_model<measured_messages>>{levels_};
    const auto ranks = static_cast<double>(ranks_of(all));
    double least = spread_, rate = 0, time = std::numeric_limits<double>::infinity();
    // Into a group messages come over its level's links and those further out, which may be the same.
    for (std::size_t depth = 0; depth < levels_.size(); ++depth)
        if (levels_[depth].members > 1) {
            const auto& messages = levels_[depth].messages;
            rate += messages.member_rate();
            const double passed = (*passes)(static_cast<double>(ranks_inside(all, depth)), ranks) * bytes;
            time = std::min(time, messages.cost(0).time);
            const double outside = outside_rates_[depth];
            least = std::max(
                least, time + passed / (outside > 0 ? std::max(outside, messages.member_rate()) : rate));
        }
    if (copy_rate_ > 0 && ranks > 1) least = std::max(least, (*passes)(1, ranks) * bytes / copy_rate_);
    return least;
}

TOPOMP_INLINE std::optional<least_times::passing> least_times::passing_of(std::string_view verb) {
    if (verb == "barrier") return [](double, double) { return 0.0; };
    if (verb == "broadcast" || verb == "reduce") return [](double, double) { return 1.0; };
    if (verb == "all_reduce") return [](double inside, double ranks) { return 2 * (ranks - inside) / ranks; };
    if (verb == "gather" || verb == "scatter" || verb == "all_gather" || verb == "reduce_scatter")
        return [](double inside, double ranks) { return ranks - inside; };
    if (verb == "all_to_all") return [](double inside, double ranks) { return inside * (ranks - inside); };
    return std::nullopt;
}

TOPOMP_INLINE double least_times::spread(long long ranks) const {
    double gap = std::numeric_limits<double>::infinity(), time = gap;
    for (const auto& level : levels_)
        if (level.members > 1) {
            const message_cost cost = level.messages.cost(0);
            gap = std::min(gap, cost.gap);
            time = std::min(time, cost.time);
        }
    if (gap <= 0) return time;
    std::priority_queue<double, std::vector<double>, std::greater<>>
        next; // when each rank is informed, and can send again
    next.push(0);
    double last = 0;
    for (long long known = 1; known < ranks; ++known) {
        const double start = next.top();
        next.pop();
        last = start + time; // ranks informed one after the other, none earlier than the one before
        next.push(start + gap);
        next.push(last);
    }
    return last;
}

} // namespace topo::model
