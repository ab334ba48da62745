// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long exchanges take in which all ranks send in each step.
#pragma once

#include <topomp/model/level_cost.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace topo::model {

/// Exchanges over all ranks of a machine, in a rank order in which the ranks of a group are consecutive. Each
/// step takes as long as the slowest of its messages; of a group of n ranks, min(n, d) messages leave at a
/// time if partners are d positions away. The functions mirror the policies of the same names.
template <message_model Model>
class exchanges {
public:
    /// @param combine_per_byte seconds that a receiver needs to combine a byte with its own
    explicit exchanges(std::span<const level_model<Model>> levels, double combine_per_byte = 0)
        : levels_(levels), combine_(combine_per_byte), ranks_(ranks_of(levels)) {}

    /// Seconds in which every rank sends `bytes` to the rank `distance` positions ahead, cyclically.
    /// @param messages so many of them, all under way at a time
    double shift(double bytes, long long distance, long long messages = 1) const {
        distance = std::min(distance, ranks_ - distance);
        return slowest(bytes, distance, messages, [&](long long) { return distance > 0; });
    }

    /// Seconds in which the ranks of each block of 2 `distance` exchange `bytes` with the other half of the
    /// block.
    double swap(double bytes, long long distance, long long messages = 1) const {
        return slowest(bytes, distance, messages,
                       [&](long long inside) { return inside % (2 * distance) != 0; });
    }

    /// `block`: bytes that each rank has for all ranks.
    double ring_all_gather(double block) const { return steps() * shift(block, 1); }
    /// The same by neighbour exchange.
    double neighbour_exchange_all_gather(double block) const {
        if (ranks_ % 2 != 0) return ring_all_gather(block);
        const long long pairs = ranks_ / 2;
        const auto within = static_cast<double>((pairs - 1) / 2), between = static_cast<double>(pairs / 2);
        // Between pairs a message leaves each end of a group, as many as if partners were 2 positions away.
        return swap(block, 1) + between * shift(2 * block, 2) + within * swap(2 * block, 1);
    }
    /// The same by Bruck's algorithm.
    double bruck_all_gather(double block) const {
        double sum = 0;
        for (long long distance = 1; distance < ranks_; distance *= 2)
            sum += shift(static_cast<double>(std::min(distance, ranks_ - distance)) * block, distance);
        return sum;
    }
    /// The same by recursive doubling.
    double recursive_doubling_all_gather(double block) const {
        double sum = 0, held = block;
        for (long long distance = doubling_ranks() / 2; distance >= 1; distance /= 2, held *= 2)
            sum += swap(held, distance);
        return sum + (is_uneven() ? swap(block, 1) + swap(static_cast<double>(ranks_) * block, 1) : 0);
    }

    /// `block`: bytes that each rank has for each other.
    double pairwise_all_to_all(double block) const {
        double sum = 0;
        for (long long distance = 1; distance < ranks_; ++distance)
            sum += shift(block, distance);
        return sum;
    }
    /// The same if each step starts while the messages of the one before are under way, until the last
    /// message has arrived, or until a rank has processed all that it sends and receives, whichever is later.
    double overlapped_all_to_all(double block) const {
        double gaps = 0, last = 0, busy = 0;
        for (long long distance = 1; distance < ranks_; ++distance) {
            double gap = 0, own = 0;
            for_levels(block, distance, [&](const message_cost& cost) {
                gap = std::max(gap, cost.gap);
                last = std::max(last, cost.time - cost.gap);
                own = std::max(own, cost.busy);
            });
            gaps += gap;
            busy += own;
        }
        return std::max(gaps + std::max(0.0, last), busy);
    }
    /// The same by Bruck's algorithm.
    double bruck_all_to_all(double block) const {
        double sum = 0;
        for (long long distance = 1; distance < ranks_; distance *= 2)
            sum += shift(static_cast<double>(ways_with(distance)) * block, distance);
        return sum;
    }

    /// `bytes` of the whole message.
    double recursive_doubling_all_reduce(double bytes) const {
        double sum = is_uneven() ? summed(bytes, 1) + swap(bytes, 1) : 0;
        for (long long distance = 1; distance < doubling_ranks(); distance *= 2)
            sum += summed(bytes, distance);
        return sum;
    }
    /// The same by Rabenseifner's algorithm.
    double rabenseifner_all_reduce(double bytes) const {
        double sum = is_uneven() ? summed(bytes, 1) + swap(bytes, 1) : 0;
        for (long long distance = 1; distance < doubling_ranks(); distance *= 2) {
            bytes /= 2;
            sum += summed(bytes, distance) + swap(bytes, distance);
        }
        return sum;
    }
    /// The same around a ring.
    double ring_all_reduce(double bytes) const {
        const double part = bytes / static_cast<double>(ranks_);
        return ring_reduce_scatter(part) + ring_all_gather(part);
    }

    /// `block`: bytes of each rank's result.
    double ring_reduce_scatter(double block) const { return steps() * (shift(block, 1) + block * combine_); }
    /// The same by recursive halving.
    double recursive_halving_reduce_scatter(double block) const {
        double bytes = block * static_cast<double>(ranks_);
        double sum = is_uneven() ? summed(bytes, 1) + swap(block, 1) : 0;
        for (long long distance = 1; distance < doubling_ranks(); distance *= 2)
            sum += summed(bytes /= 2, distance);
        return sum;
    }

    /// Seconds of a barrier by dissemination.
    double dissemination_barrier() const {
        double sum = 0;
        for (long long distance = 1; distance < ranks_; distance *= 2)
            sum += shift(0, distance);
        return sum;
    }

    /// A broadcast of so many pieces, or a reduction if combining takes any time, as by the policy
    /// `circulant`, whose rounds do not overlap: the first piece takes all distances in turn, and each
    /// further one a round more.
    double circulant(double piece, double pieces) const {
        const double combine = piece * combine_;
        double first = 0;
        int rounds = 0;
        for (long long left = ranks_; left > 1; left -= left / 2, ++rounds) {
            double time = 0;
            for_levels(piece, left / 2, [&](const message_cost& cost) {
                time = std::max({time, cost.time, cost.busy});
            });
            first += time + combine;
        }
        return rounds > 0 ? first * (rounds - 1 + pieces) / rounds : 0;
    }
    /// An all_reduce as by the policy `circulant`: in each round all but one of `radix` parts of the blocks
    /// that a rank still has, in a message each, and the same way back.
    double circulant_all_reduce(double bytes, int radix) const {
        const double block = bytes / static_cast<double>(ranks_);
        double sum = 0;
        for (long long left = ranks_; left > 1;) {
            const long long kept = (left + radix - 1) / radix, sent = left - kept;
            const long long messages = (sent + kept - 1) / kept;
            double round = 0;
            for_levels(static_cast<double>(std::min(kept, sent)) * block, kept,
                       [&](const message_cost& cost) {
                           round = std::max({round, static_cast<double>(messages - 1) * cost.gap + cost.time,
                                             static_cast<double>(messages) * cost.busy});
                       });
            sum += 2 * round + static_cast<double>(sent) * block * combine_;
            left = kept;
        }
        return sum;
    }

private:
    /// Calls `f(cost)` for the messages to the rank `distance` positions ahead that leave a group of a level.
    template <class F>
    void for_levels(double bytes, long long distance, F f) const {
        distance = std::min(distance, ranks_ - distance);
        for (std::size_t depth = 0; depth < levels_.size(); ++depth)
            if (levels_[depth].members > 1)
                f(message(levels_[depth].messages, bytes, ranks_inside(levels_, depth), distance));
    }

    /// The slowest message over the levels whose groups some message leaves.
    template <class Leaves>
    double slowest(double bytes, long long distance, long long messages, Leaves leaves) const {
        double result = 0;
        for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
            const long long inside = ranks_inside(levels_, depth);
            if (levels_[depth].members == 1 || !leaves(inside)) continue;
            const message_cost cost = message(levels_[depth].messages, bytes, inside, distance);
            result = std::max(result, cost.time + static_cast<double>(messages - 1) * cost.gap);
        }
        return result;
    }

    /// A message that leaves a group of `inside` ranks. Some models know distances, counted in groups.
    static message_cost message(const Model& model, double bytes, long long inside, long long distance) {
        const auto flows = static_cast<int>(std::min(inside, distance));
        if constexpr (requires { model.cost(bytes, flows, distance); })
            return model.cost(bytes, flows, distance / inside);
        else
            return model.cost(bytes, flows);
    }

    double steps() const { return static_cast<double>(ranks_ - 1); }
    double summed(double bytes, long long distance) const { return swap(bytes, distance) + bytes * combine_; }
    /// The greatest power of two of ranks: so many take part in doubling and halving; the others exchange
    /// with a partner before and after.
    long long doubling_ranks() const {
        return static_cast<long long>(std::bit_floor(static_cast<unsigned long long>(ranks_)));
    }
    bool is_uneven() const { return doubling_ranks() != ranks_; }
    /// How many of the distances 1 to p - 1 contain a power of two.
    long long ways_with(long long power) const {
        return ranks_ / (2 * power) * power + std::max(0LL, ranks_ % (2 * power) - power);
    }

    std::span<const level_model<Model>> levels_;
    double combine_;
    long long ranks_;
};

} // namespace topo::model
