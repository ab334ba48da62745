// SPDX-License-Identifier: BSL-1.0
/// @file
/// The time of a tree that ignores levels.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/tree_time.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::model {

/// One tree over the ranks' numbers, from rank 0, on a machine of levels. A message uses the links of the
/// outermost level that separates its ranks. Of one group, as many messages leave at a time as it has ranks
/// that send out of it and are as far from the root; in s segments, less than s further or nearer. So trees
/// that cross the same boundary repeatedly take longer, if the model has a limit for the group.
template <message_model Model>
class flat_tree {
public:
    /// @param seats where on the machine each rank is, counted as in `level_model`; empty: rank r in seat r
    /// @param combine_per_byte seconds that a receiver needs to combine a byte with its own
    explicit flat_tree(std::span<const level_model<Model>> levels, std::span<const int> seats = {},
                       double combine_per_byte = 0)
        : levels_(levels), seats_(seats), combine_(combine_per_byte),
          ranks_(static_cast<int>(ranks_of(levels))) {}

    /// The seconds of a broadcast, or backwards of a reduction. @param bytes of a segment
    /// @cost linear in the number of ranks, times a logarithm
    double time(const any_shape& shape, double bytes, double segments = 1) const {
        const senders sending = senders_of(&shape, 1, segments);
        return tree_time(0, segments, [&](int rank, auto send) {
            for (const int child : children(shape, rank))
                send(child, cost(sending, rank, child, bytes));
        });
    }

    /// The same if the halves of the message go down different trees, as in `split_binary`.
    /// @param bytes of a segment of a half @param segments of each half
    double split_time(const any_shape& first, const any_shape& second, double bytes,
                      double segments = 1) const {
        const any_shape halves[]{first, second};
        const senders sending = senders_of(halves, 2, segments);
        double last = 0;
        for (const int half : {0, 1})
            last = std::max(last, tree_time(0, segments, [&](int rank, auto send) {
                                for (const int turn : {0, 1})
                                    for (const int child : children(halves[turn], rank))
                                        send(turn == half ? child : -1, cost(sending, rank, child, bytes));
                            }));
        return last;
    }

private:
    struct group {
        std::size_t level;
        long long member; ///< of the level
        friend auto operator<=>(const group&, const group&) = default;
    };
    /// A rank that sends out of a group, so far from the root.
    struct sender {
        group left;
        int step;
        friend auto operator<=>(const sender&, const sender&) = default;
    };
    struct senders {
        std::vector<sender> all;  ///< ascending
        std::vector<int> step_of; ///< by rank
        double segments;
    };

    std::vector<int> children(const any_shape& shape, int rank) const {
        std::vector<int> found;
        shape.children(rank, ranks_, found);
        return found;
    }
    int seat(int rank) const { return seats_.empty() ? rank : seats_[static_cast<std::size_t>(rank)]; }
    group left_by(int rank, int child) const {
        const std::size_t depth = level_between(levels_, seat(rank), seat(child));
        return {depth, seat(rank) / ranks_inside(levels_, depth)};
    }

    senders senders_of(const any_shape* shapes, std::size_t number, double segments) const {
        senders result{{}, std::vector<int>(static_cast<std::size_t>(ranks_)), segments};
        for (const any_shape* shape = shapes; shape != shapes + number; ++shape) {
            std::vector<int> open{0};
            for (std::size_t i = 0; i < open.size(); ++i) {
                const int rank = open[i], step = result.step_of[static_cast<std::size_t>(rank)];
                std::vector<group> left;
                for (const int child : children(*shape, rank)) {
                    result.step_of[static_cast<std::size_t>(child)] = step + 1;
                    left.push_back(left_by(rank, child));
                    open.push_back(child);
                }
                std::sort(left.begin(), left.end());
                left.erase(std::unique(left.begin(), left.end()), left.end());
                for (const group& each : left)
                    result.all.push_back({each, step});
            }
        }
        std::sort(result.all.begin(), result.all.end());
        return result;
    }

    message_cost cost(const senders& sending, int rank, int child, double bytes) const {
        const group left = left_by(rank, child);
        const int step = sending.step_of[static_cast<std::size_t>(rank)];
        const auto begin =
            std::partition_point(sending.all.begin(), sending.all.end(), [&](const sender& each) {
                return each.left < left || (each.left == left && each.step <= step - sending.segments);
            });
        const auto end = std::partition_point(begin, sending.all.end(), [&](const sender& each) {
            return each.left == left && each.step < step + sending.segments;
        });
        const auto flows = static_cast<int>(std::max<std::ptrdiff_t>(1, end - begin));
        return combined(levels_[left.level].messages.cost(bytes, flows), bytes * combine_);
    }

    std::span<const level_model<Model>> levels_;
    std::span<const int> seats_;
    double combine_;
    int ranks_;
};

} // namespace topo::model
