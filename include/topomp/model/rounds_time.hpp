// SPDX-License-Identifier: BSL-1.0
/// @file
/// The time of exchanges in rounds of several ranks.
#pragma once

#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/model/level_cost.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace topo::model {

/// Groups of different sizes.
struct uneven_groups {
    int ranks = 0;   ///< of all groups; 0: they are equal
    int divisor = 1; ///< of the size of each
};

/// Exchanges over all ranks of a machine in rounds of up to `most` ranks, which follow the groups where these
/// are equally large, as `k_ary_recursive_doubling`, `k_ary_recursive_halving` and `k_ary_rabenseifner` do. A
/// round lasts until the last of a rank's consecutive messages has arrived, or until the rank has processed
/// all that it sends and receives, whichever is later; of a group of n ranks, min(n, d) send at a time if the
/// nearest partners are d positions away.
template <message_model Model>
class rounds {
public:
    /// @param combine_per_byte seconds that a receiver needs to combine a byte with its own
    /// @param uneven if the outermost groups differ in size, of which `levels` has the largest: rounds do not
    /// follow them
    /// @param memory_per_byte seconds until each rank of an outermost group has received a byte inside it,
    /// all at the same time: what their common memory takes
    rounds(std::span<const level_model<Model>> levels, int most, double combine_per_byte = 0,
           const uneven_groups& uneven = {}, double memory_per_byte = 0)
        : levels_(levels), combine_(combine_per_byte), uneven_(uneven), memory_(memory_per_byte),
          ranks_(uneven.ranks > 0 ? uneven.ranks : static_cast<int>(ranks_of(levels))) {
        std::vector<int> blocks;
        if (uneven.ranks > 0) {
            radices_ = topo::detail::radices::of(ranks_, blocks, most);
            return;
        }
        for (std::size_t depth = levels.size(); depth-- > 0;)
            if (const auto inside = static_cast<int>(ranks_inside(levels, depth));
                inside > 1 && (blocks.empty() || inside > blocks.back()))
                blocks.push_back(inside);
        radices_ = topo::detail::radices::of(ranks_, blocks, most);
    }

    /// Seconds of a barrier.
    double barrier() const { return whole(0); }

    /// `block`: bytes that each rank has for all ranks.
    double all_gather(double block) const {
        double sum = extra(block, block * ranks_);
        for (std::size_t i = radices_.all().size(); i-- > 0;) {
            sum += round(i, block);
            block *= radices_.all()[i];
        }
        return sum;
    }
    /// `block`: bytes of each rank's result.
    double reduce_scatter(double block) const {
        double bytes = block * ranks_, sum = extra(bytes, block) + extra_combined(bytes);
        for (std::size_t i = 0; i < radices_.all().size(); ++i) {
            bytes /= radices_.all()[i];
            sum += summed(i, bytes);
        }
        return sum;
    }

    /// Whether each rank is in rounds by itself, as `all_to_all` requires.
    bool has_all() const { return radices_.product() == ranks_; }
    /// `block`: bytes that each rank has for each other. In a round of k ranks, each gives each other one all
    /// blocks for one of k parts of the ranks. @pre `has_all`
    double all_to_all(double block) const {
        double sum = 0;
        for (std::size_t i = 0; i < radices_.all().size(); ++i)
            sum += uneven_.ranks > 0 ? crowded_round(i, block * ranks_ / radices_.all()[i])
                                     : round(i, block * ranks_ / radices_.all()[i]);
        return sum;
    }

    /// `bytes` of the whole message, which goes whole in each round.
    double all_reduce(double bytes) const { return whole(bytes); }

    /// The same if blocks longer than `whole_bytes` are divided further and gathered in the reverse order.
    double splitting_all_reduce(double bytes, double whole_bytes) const {
        double sum = extra(bytes, bytes) + extra_combined(bytes);
        for (std::size_t i = 0; i < radices_.all().size(); ++i) {
            if (bytes <= whole_bytes) {
                sum += summed(i, bytes);
            } else {
                bytes /= radices_.all()[i];
                sum += summed(i, bytes) + round(i, bytes);
            }
        }
        return sum;
    }

    /// A broadcast: a scatter, in which one rank of a round sends, and an all-gather.
    double broadcast(double bytes) const {
        double sum = extra(0, bytes);
        for (std::size_t i = 0; i < radices_.all().size(); ++i) {
            bytes /= radices_.all()[i];
            sum += round(i, bytes, 1) + round(i, bytes);
        }
        return sum;
    }
    /// A reduction: halving, and a gather, in which one rank of a round receives.
    double reduce(double bytes) const {
        double sum = extra(bytes, 0) + extra_combined(bytes);
        for (std::size_t i = 0; i < radices_.all().size(); ++i) {
            bytes /= radices_.all()[i];
            sum += summed(i, bytes) + round(i, bytes, 1);
        }
        return sum;
    }

private:
    double whole(double bytes) const {
        double sum = extra(bytes, bytes) + extra_combined(bytes);
        for (std::size_t i = 0; i < radices_.all().size(); ++i)
            sum += summed(i, bytes);
        return sum;
    }

    /// Seconds in which each rank sends `bytes` to each other rank of the round.
    /// @param most_flows how many ranks of a group send at a time, at most
    double round(std::size_t i, double bytes, int most_flows = std::numeric_limits<int>::max()) const {
        const int radix = radices_.all()[i], nearest = radices_.weight(i);
        double result = 0;
        for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
            const auto inside = static_cast<int>(ranks_inside(levels_, depth));
            const int whole = depth == 0 && uneven_.ranks > 0 ? uneven_.divisor : inside;
            if (levels_[depth].members == 1 || whole % (nearest * radix) == 0) continue; // nothing leaves
            const int sending =
                depth == 0 && uneven_.ranks > 0 ? leaving(inside, radix, nearest) : std::min(inside, nearest);
            const message_cost cost = levels_[depth].messages.cost(bytes, std::min(sending, most_flows));
            result = std::max({result, (radix - 2) * cost.gap + cost.time, (radix - 1) * cost.busy});
            if (depth > 0 && most_flows > 1)
                result = std::max(result, levels_[depth].messages.cost(0, 1).time +
                                              (radix - 1) * bytes * cost.passes * memory_);
        }
        return result;
    }
    /// How many ranks of the largest group send to another one at a time where rounds do not follow groups: a
    /// partner at distance d is in another group of s ranks with probability min(1, d / s), and of k ranks in
    /// a row k - j have one j places behind them, as many one before them.
    static int leaving(int largest, int radix, int nearest) {
        double messages = 0;
        for (int places = 1; places < radix; ++places)
            messages += 2.0 * (radix - places) / radix * std::min(largest, places * nearest);
        return std::max(1, static_cast<int>(messages / (radix - 1) + 0.5));
    }
    /// The same where rounds do not follow groups: a partner of each rank of a group is in another one, also
    /// of those whose nearest partner is not.
    double crowded_round(std::size_t i, double bytes) const {
        const int radix = radices_.all()[i];
        double result = 0;
        for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
            const auto inside = static_cast<int>(ranks_inside(levels_, depth));
            if (levels_[depth].members == 1) continue;
            const message_cost cost = levels_[depth].messages.cost(bytes, inside);
            result = std::max({result, (radix - 2) * cost.gap + cost.time, (radix - 1) * cost.busy});
        }
        return result;
    }
    double summed(std::size_t i, double bytes) const {
        return round(i, bytes) + (radices_.all()[i] - 1) * bytes * combine_;
    }

    /// Ranks beyond the product of the radices send their data to a neighbour before the rounds, and receive
    /// the result after them.
    double extra(double before, double behind) const {
        if (radices_.product() == ranks_ || levels_.empty()) return 0;
        const auto& nearest = levels_.back().messages;
        return nearest.cost(before, 1).time + nearest.cost(behind, 1).time;
    }
    double extra_combined(double bytes) const { return radices_.product() == ranks_ ? 0 : bytes * combine_; }

    std::span<const level_model<Model>> levels_;
    double combine_;
    uneven_groups uneven_;
    double memory_;
    int ranks_;
    topo::detail::radices radices_;
};

} // namespace topo::model
