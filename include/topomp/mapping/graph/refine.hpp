// SPDX-License-Identifier: BSL-1.0
/// @file
/// Swapping cells between nodes as long as that lowers the cost.
#pragma once

#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

/// Pairwise swaps in the order of the cells' numbers, downhill only, in whole numbers: every rank comes to
/// the same result. A budget of links looked at ends it early.
///
/// @tparam Links as `grid_links`
template <class Links>
class refinement {
public:
    /// @param fixed cells that stay where they are; empty: none
    refinement(const Links& links, node_map& map, int nodes, std::vector<bool> fixed = {})
        : links_(links), map_(map), fixed_(std::move(fixed)), sent_(static_cast<std::size_t>(nodes)),
          members_(static_cast<std::size_t>(nodes)) {
        for (int cell = 0; cell < links_.size(); ++cell) {
            if (!is_fixed(cell)) members_[at(cell)].push_back(cell);
            links_.visit(cell, [&](int other, std::int64_t out, std::int64_t) {
                if (at(other) != at(cell)) sent_[at(cell)] += out;
            });
        }
    }

    /// Lowers what @p first names first, never raising the cost in that order.
    void run(mapping_goal first, std::int64_t budget) {
        budget_ = budget;
        if (first == mapping_goal::total)
            lower_total();
        else
            lower_greatest();
    }

private:
    /// What a cell exchanges: with all others, with its own node and with another one.
    struct exchange {
        std::int64_t out = 0, out_here = 0, in_here = 0, out_there = 0, in_there = 0;

        /// By how much the total falls if the cell alone goes there.
        std::int64_t gain() const { return out_there + in_there - out_here - in_here; }
    };

    std::size_t at(int cell) const { return static_cast<std::size_t>(map_[static_cast<std::size_t>(cell)]); }
    bool is_fixed(int cell) const { return !fixed_.empty() && fixed_[static_cast<std::size_t>(cell)]; }

    exchange exchange_of(int cell, std::size_t there) {
        exchange sum;
        links_.visit(cell, [&](int other, std::int64_t out, std::int64_t in) {
            --budget_;
            if (other == cell) return;
            sum.out += out;
            if (at(other) == at(cell)) {
                sum.out_here += out;
                sum.in_here += in;
            } else if (at(other) == there) {
                sum.out_there += out;
                sum.in_there += in;
            }
        });
        return sum;
    }

    /// What two cells of different nodes send each other: the first one, and the second one.
    std::pair<std::int64_t, std::int64_t> between(int one, int other) const {
        std::pair<std::int64_t, std::int64_t> sum;
        links_.visit(one, [&](int end, std::int64_t out, std::int64_t in) {
            if (end != other) return;
            sum.first += out;
            sum.second += in;
        });
        return sum;
    }

    /// The nodes of the cells that a cell is linked with, without its own, in ascending order.
    void find_nodes_around(int cell) {
        around_.clear();
        links_.visit(cell, [&](int other, std::int64_t, std::int64_t) {
            --budget_;
            if (at(other) != at(cell)) around_.push_back(at(other));
        });
        std::ranges::sort(around_);
        around_.erase(std::unique(around_.begin(), around_.end()), around_.end());
    }

    void lower_total() {
        for (bool is_lower = true; is_lower && budget_ > 0;) {
            is_lower = false;
            for (int cell = 0; cell < links_.size() && budget_ > 0; ++cell)
                if (!is_fixed(cell)) is_lower = swap_for_total(cell) || is_lower;
        }
    }

    /// Of two cells whose swap lowers the total, at least one would lower it alone. Only those are examined.
    bool swap_for_total(int cell) {
        find_nodes_around(cell);
        std::int64_t most = 0;
        int partner = -1;
        for (const std::size_t there : around_) {
            const std::int64_t gain = exchange_of(cell, there).gain();
            if (gain <= 0) continue;
            for (const int other : members_[there]) {
                std::int64_t both = gain + exchange_of(other, at(cell)).gain();
                if (both <= most) continue;
                const auto [out, in] = between(cell, other);
                both -= 2 * (out + in);
                if (both <= most) continue;
                most = both;
                partner = other;
            }
        }
        if (partner < 0) return false;
        swap(cell, partner);
        return true;
    }

    void lower_greatest() {
        for (bool is_lower = true; is_lower && budget_ > 0;) {
            is_lower = false;
            const auto worst = std::ranges::max_element(sent_) - sent_.begin();
            for (const int cell : std::vector<int>{members_[static_cast<std::size_t>(worst)]})
                if ((is_lower = swap_for_greatest(cell)) || budget_ <= 0) break;
        }
    }

    /// Takes the swap after which the greater of both nodes sends least, if that is less than before.
    bool swap_for_greatest(int cell) {
        find_nodes_around(cell);
        std::int64_t least = sent_[at(cell)];
        int partner = -1;
        for (const std::size_t there : around_) {
            for (const int other : members_[there]) {
                const auto [here_after, there_after] = sent_after(cell, other);
                if (std::max(here_after, there_after) >= least) continue;
                least = std::max(here_after, there_after);
                partner = other;
            }
        }
        if (partner < 0) return false;
        swap(cell, partner);
        return true;
    }

    /// What both nodes send after a swap.
    std::pair<std::int64_t, std::int64_t> sent_after(int one, int other) {
        const exchange first = exchange_of(one, at(other)), second = exchange_of(other, at(one));
        const auto [out, in] = between(one, other);
        const std::int64_t direct = out + in;
        return {sent_[at(one)] - first.out + first.out_here + first.in_here + second.out - second.out_there -
                    second.in_there + direct,
                sent_[at(other)] - second.out + second.out_here + second.in_here + first.out -
                    first.out_there - first.in_there + direct};
    }

    void swap(int one, int other) {
        const auto [here, there] = sent_after(one, other);
        sent_[at(one)] = here;
        sent_[at(other)] = there;
        std::ranges::replace(members_[at(one)], one, other);
        std::ranges::replace(members_[at(other)], other, one);
        std::swap(map_[static_cast<std::size_t>(one)], map_[static_cast<std::size_t>(other)]);
    }

    const Links& links_;
    node_map& map_;
    std::vector<bool> fixed_;
    std::vector<std::int64_t> sent_;        ///< by each node
    std::vector<std::vector<int>> members_; ///< of each node, those that may move
    std::vector<std::size_t> around_;
    std::int64_t budget_ = 0;
};

} // namespace topo::detail
