// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cutting a grid or graph in two, again and again, each time between two nodes near the middle of their
/// list.
#pragma once

#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// Some consecutive nodes.
struct region {
    int first = 0, nodes = 0;
};

/// Recursive bisection, for anything with links and with orders in which to take its cells.
///
/// @tparam Links as `grid_links`
/// @tparam Orders `orders.each(cells, is_in, f)` calls `f(sequence)` with a region's cells in one order after
/// the other; `is_in(cell)` says whether a cell is one of them
template <class Links, class Orders>
class bisection {
public:
    bisection(const Links& links, const node_list& nodes, Orders orders)
        : links_(links), nodes_(nodes), orders_(std::move(orders)) {}

    /// Divides @p cells between some nodes, and writes into @p map where each goes. @pre no other cell of
    /// @p map is on one of these nodes
    void run(node_map& map, std::vector<int> cells, region whole) {
        side_.resize(map.size());
        for (const int cell : cells)
            map[static_cast<std::size_t>(cell)] = whole.first;
        const int before = nodes_.start(whole.first);
        std::vector<region> open{whole};
        while (!open.empty()) {
            const region part = open.back();
            open.pop_back();
            if (part.nodes < 2) continue;
            const int end = part.first + part.nodes;
            const std::span<int> theirs = std::span{cells}.subspan(
                static_cast<std::size_t>(nodes_.start(part.first) - before),
                static_cast<std::size_t>(nodes_.start(end) - nodes_.start(part.first)));
            const int node = split(part, map, theirs);
            for (const int cell :
                 theirs.subspan(static_cast<std::size_t>(nodes_.start(node) - nodes_.start(part.first))))
                map[static_cast<std::size_t>(cell)] = node;
            open.push_back({node, end - node});
            open.push_back({part.first, node - part.first});
        }
    }

private:
    /// The sum of a cut's weights in relation to what it leaves on either side.
    struct quality {
        std::int64_t cut, below, above;

        bool is_better_than(const quality& other) const {
            return wide_integer{cut} * (other.below * other.above) <
                   wide_integer{other.cut} * (below * above);
        }
    };

    /// Puts the cells below the cut first. @return the first node above it
    int split(const region& part, const node_map& map, std::span<int> cells) {
        const int lowest = part.first + part.nodes / 2, highest = part.first + (part.nodes + 1) / 2;
        std::optional<quality> best;
        int chosen = lowest;
        best_.assign(cells.begin(), cells.end());
        const auto is_in = [&](int cell) { return map[static_cast<std::size_t>(cell)] == part.first; };
        orders_.each(cells, is_in, [&](const std::vector<int>& sequence) {
            ++sweeps_;
            std::int64_t cut = 0;
            int done = 0;
            bool is_best = false;
            const int total = static_cast<int>(sequence.size());
            for (int node = part.first + 1; node <= highest; ++node) {
                for (; done < nodes_.start(node) - nodes_.start(part.first); ++done)
                    cut += change(sequence[static_cast<std::size_t>(done)], is_in);
                const quality now{cut, done, total - done};
                if (node < lowest || (best && !now.is_better_than(*best))) continue;
                best = now;
                chosen = node;
                is_best = true;
            }
            if (is_best) best_ = sequence;
        });
        std::ranges::copy(best_, cells.begin());
        return chosen;
    }

    /// Takes a cell to the other side.
    template <class IsIn>
    std::int64_t change(int cell, IsIn is_in) {
        std::int64_t sum = 0;
        side_[static_cast<std::size_t>(cell)] = sweeps_;
        links_.visit(cell, [&](int other, std::int64_t out, std::int64_t in) {
            if (other == cell || !is_in(other)) return;
            sum += side_[static_cast<std::size_t>(other)] == sweeps_ ? -(out + in) : out + in;
        });
        return sum;
    }

    const Links& links_;
    const node_list& nodes_;
    Orders orders_;
    std::vector<int> side_; ///< of each cell, the sweep that has passed it
    int sweeps_ = 0;
    std::vector<int> best_;
};

/// The orders of a grid's regions: by rows in each order of the dimensions, serpentine and row-major, from
/// either end.
class grid_orders {
public:
    /// All, in one order of their own or the other; those from one end; or one for each dimension.
    enum class choice { all, backwards, half, few };

    /// How many there are.
    static std::size_t most(const grid& cells) { return 4 * dimension_orders(cells.dimensions()).size(); }

    grid_orders(const grid& cells, choice wanted);

    template <class IsIn, class Each>
    void each(std::span<const int> region, IsIn is_in, Each each) {
        const box around = bounds(region);
        for (const auto& order : orders_) {
            sequence_.clear();
            walk(cells_, around, order, [&](int cell) {
                if (is_in(cell)) sequence_.push_back(cell);
            });
            each(sequence_);
        }
    }

private:
    /// The box around cells.
    box bounds(std::span<const int> region) const;

    const grid& cells_;
    std::vector<walk_order> orders_;
    std::vector<int> sequence_;
};

/// @cost links times the logarithm of the number of nodes; with few cells, twice in all orders, of which the
/// better result is kept
node_map bisection_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/graph/impl/bisection.ipp>
#endif
