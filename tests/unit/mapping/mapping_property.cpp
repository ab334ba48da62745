// SPDX-License-Identifier: BSL-1.0
// Plans of random grids against counting, and of the smallest ones against all mappings there are.
#include "support/complaint.hpp"
#include "support/mapping.hpp"
#include "support/repetitions.hpp"
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/grid_plan.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace mapping_property_tests {

using topo::grid;
using topo::grid_plan;
using topo::grid_request;
using topo::mapping_algorithm;
using topo::mapping_cost;
using topo::mapping_goal;
using topo::stencil;

namespace {

class random_requests {
public:
    explicit random_requests(std::uint32_t seed) : numbers_(seed) {}

    grid_request next() {
        grid_request request;
        const int dimensions = 1 + below(below(8) == 0 ? 5 : 3);
        int cells = 1;
        for (int i = 0; i < dimensions; ++i) {
            request.dims.push_back(1 + below(std::max(1, std::min(14, 90 / cells))));
            cells *= request.dims.back();
        }
        if (below(2) == 0)
            for (int i = 0; i < dimensions; ++i)
                request.periods.push_back(below(2) == 0);
        request.pattern = pattern(static_cast<std::size_t>(dimensions));
        request.node_sizes = sizes(cells);
        request.first = below(2) == 0 ? mapping_goal::total : mapping_goal::greatest;
        if (below(3) == 0) request.parts.push_back(halves(request.node_sizes));
        if (!request.parts.empty() && below(2) == 0) request.parts.push_back(halves(request.parts.front()));
        return request;
    }

private:
    int below(int end) { return static_cast<int>(numbers_() % static_cast<std::uint32_t>(end)); }

    stencil pattern(std::size_t dimensions) {
        switch (below(5)) {
        case 0:
            return stencil::star(dimensions);
        case 1:
            return stencil::moore(dimensions);
        case 2:
            return stencil::diagonal(dimensions);
        case 3: {
            std::vector<std::int64_t> weights;
            for (std::size_t i = 0; i < dimensions; ++i)
                weights.push_back(1 + below(20));
            return stencil::star(dimensions).weighted(weights);
        }
        default:
            return offsets(dimensions);
        }
    }

    /// Any offsets, of any length and symmetry.
    stencil offsets(std::size_t dimensions) {
        std::vector<stencil::offset> list;
        for (int i = 0; i <= below(6); ++i) {
            std::vector<int> steps(dimensions);
            for (int& each : steps)
                each = below(7) - 3;
            if (std::ranges::count(steps, 0) == std::ssize(steps)) steps.front() = 1;
            list.push_back({steps, 1 + below(9)});
        }
        return stencil{list};
    }

    /// Nodes of one size where possible, of one size but for the last, or of any.
    std::vector<int> sizes(int cells) {
        std::vector<int> result;
        if (below(3) == 0) {
            for (int left = cells; left > 0; left -= result.back())
                result.push_back(1 + below(std::min(left, 20)));
            return result;
        }
        int size = 1 + below(std::min(cells, 30));
        while (below(2) == 0 && cells % size != 0)
            size = size % cells + 1;
        for (int left = cells; left > 0; left -= result.back())
            result.push_back(std::min(left, size));
        return result;
    }

    static std::vector<int> halves(const std::vector<int>& sizes) {
        std::vector<int> result;
        for (const int each : sizes) {
            result.push_back((each + 1) / 2);
            if (each > 1) result.push_back(each / 2);
        }
        return result;
    }

    std::mt19937 numbers_;
};

std::string text_of(const grid_request& request) {
    std::string text = topo::extents_text(request.dims);
    for (const bool each : request.periods)
        text += each ? " circle" : " line";
    text += request.first == mapping_goal::total ? ", jsum, nodes" : ", jmax, nodes";
    for (const int each : request.node_sizes)
        text += ' ' + std::to_string(each);
    text += ", offsets";
    for (const auto& each : request.pattern->offsets()) {
        for (const int step : each.steps)
            text += ' ' + std::to_string(step);
        text += " (" + std::to_string(each.weight) + ')';
    }
    return text;
}

/// What holds for every plan.
void check_plan(const grid_request& request, const grid_plan& plan) {
    std::vector<int> owners = plan.owner, all(plan.owner.size());
    std::iota(all.begin(), all.end(), 0);
    std::ranges::sort(owners);
    CHECK(owners == all);
    // Ranks are on the nodes, and on the parts, that the request puts them on.
    std::vector<int> node_of_rank;
    for (std::size_t i = 0; i < request.node_sizes.size(); ++i)
        node_of_rank.insert(node_of_rank.end(), static_cast<std::size_t>(request.node_sizes[i]),
                            static_cast<int>(i));
    bool is_consistent = true;
    for (std::size_t cell = 0; cell < plan.owner.size(); ++cell)
        is_consistent =
            is_consistent && plan.node[cell] == node_of_rank[static_cast<std::size_t>(plan.owner[cell])];
    CHECK(is_consistent);
    const mapping_cost counted =
        topo_test::counted_cost(plan.cells, *request.pattern, plan.node, request.node_sizes.size());
    CHECK(plan.now.cost == counted);
    CHECK(plan.blocked.cost ==
          topo_test::counted_cost(plan.cells, *request.pattern, node_of_rank, request.node_sizes.size()));
    if (plan.lower_bound) CHECK(*plan.lower_bound <= counted.jsum);
    CHECK(plan.now.on_node.max + plan.now.off_node.min == std::ssize(request.pattern->offsets()));
}

/// The load between parts of the same node, from the owners alone.
mapping_cost counted_parts(const grid_request& request, const grid_plan& plan, std::size_t level) {
    const auto group_of_rank = [](const std::vector<int>& sizes) {
        std::vector<int> result;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            result.insert(result.end(), static_cast<std::size_t>(sizes[i]), static_cast<int>(i));
        return result;
    };
    const auto whole = group_of_rank(level == 0 ? request.node_sizes : request.parts[level - 1]);
    const auto part = group_of_rank(request.parts[level]);
    std::vector<std::int64_t> sent(request.parts[level].size());
    for (int cell = 0; cell < plan.cells.size(); ++cell)
        for (const auto& each : request.pattern->offsets()) {
            const int other = plan.cells.neighbour(cell, each.steps);
            if (other == grid::outside) continue;
            const auto here = static_cast<std::size_t>(plan.owner[static_cast<std::size_t>(cell)]);
            const auto there = static_cast<std::size_t>(plan.owner[static_cast<std::size_t>(other)]);
            if (whole[here] == whole[there] && part[here] != part[there])
                sent[static_cast<std::size_t>(part[here])] += each.weight;
        }
    mapping_cost cost;
    for (const std::int64_t each : sent) {
        cost.jsum += each;
        cost.jmax = std::max(cost.jmax, each);
    }
    return cost;
}

/// The lowest costs of all mappings, by the one measure and by the other.
struct optimum {
    mapping_cost total{std::numeric_limits<std::int64_t>::max(), 0};
    mapping_cost greatest{0, std::numeric_limits<std::int64_t>::max()};
};

optimum best_of_all(const grid& cells, const stencil& pattern, const std::vector<int>& sizes) {
    std::vector<int> node;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        node.insert(node.end(), static_cast<std::size_t>(sizes[i]), static_cast<int>(i));
    // Each edge once, to count all mappings quickly.
    struct edge {
        std::size_t from, to;
        std::int64_t weight;
    };
    std::vector<edge> edges;
    for (int cell = 0; cell < cells.size(); ++cell)
        for (const auto& each : pattern.offsets())
            if (const int other = cells.neighbour(cell, each.steps); other != grid::outside)
                edges.push_back(
                    {static_cast<std::size_t>(cell), static_cast<std::size_t>(other), each.weight});
    optimum best;
    do {
        std::int64_t sent[3] = {};
        for (const auto& [from, to, weight] : edges)
            if (node[from] != node[to]) sent[node[from]] += weight;
        const mapping_cost cost{sent[0] + sent[1] + sent[2], std::max({sent[0], sent[1], sent[2]})};
        if (cost.jsum < best.total.jsum || (cost.jsum == best.total.jsum && cost.jmax < best.total.jmax))
            best.total = cost;
        if (cost.jmax < best.greatest.jmax ||
            (cost.jmax == best.greatest.jmax && cost.jsum < best.greatest.jsum))
            best.greatest = cost;
    } while (std::ranges::next_permutation(node).found);
    return best;
}

/// Each way to write a number as up to three sizes, the larger first.
std::vector<std::vector<int>> few_nodes(int cells) {
    std::vector<std::vector<int>> result{{cells}};
    for (int first = 1; first < cells; ++first)
        for (int second = 1; second <= std::min(first, cells - first); ++second) {
            const int third = cells - first - second;
            if (third == 0) result.push_back({first, second});
            if (third > 0 && third <= second) result.push_back({third, first, second}); // the smallest first
        }
    return result;
}

} // namespace

TEST_CASE(
    "a plan is a bijection that keeps node sizes, costs what it says, and none is above its candidates") {
    random_requests requests{2018};
    const int count = topo_test::repetitions(2000);
    for (int i = 0; i < count; ++i) {
        grid_request request = requests.next();
        INFO(text_of(request));
        const auto best = grid_plan::of(request);
        check_plan(request, best);
        CHECK(!topo::detail::is_lower(best.blocked.cost, best.now.cost, request.first));
        for (std::size_t level = 0; level < request.parts.size(); ++level) {
            CHECK(best.parts[level].now == counted_parts(request, best, level));
            const auto& [now, blocked] = best.parts[level];
            CHECK(
                (request.first == mapping_goal::total ? now.jsum <= blocked.jsum : now.jmax <= blocked.jmax));
        }
        request.parts.clear();
        for (const auto& each : topo::detail::mapping_algorithm_names) {
            if (each.which == mapping_algorithm::automatic) continue;
            request.algorithm = each.which;
            INFO(each.name);
            try {
                const auto plan = grid_plan::of(request);
                check_plan(request, plan);
                CHECK(plan.algorithm == each.which);
                CHECK(!topo::detail::is_lower(plan.now.cost, best.now.cost, request.first));
            } catch (const topo::argument_error&) {
                const bool has_conditions = each.which == mapping_algorithm::gropp ||
                                            each.which == mapping_algorithm::box ||
                                            each.which == mapping_algorithm::guillotine ||
                                            each.which == mapping_algorithm::exhaustive;
                CHECK(has_conditions);
            }
        }
    }
}

TEST_CASE("of all grids of up to 12 cells on up to 3 nodes the best mapping is found, above the bound") {
    int cases = 0;
    const int most = topo_test::is_sanitized ? 7 : 12;
    for (int cells = 1; cells <= most; ++cells)
        topo::detail::each_grid({0, 0, 0}, cells, 1000, [&](const std::vector<int>& extents) {
            // Of the larger ones the turned ones are left out: they take longest.
            if (cells > 8 && !std::ranges::is_sorted(extents)) return;
            for (const bool is_periodic : {false, true})
                for (const auto& pattern : {stencil::star(3), stencil::moore(3)})
                    for (const auto& sizes : few_nodes(cells)) {
                        if (cells > 10 && (pattern.offsets().size() > 6) == is_periodic) continue;
                        grid_request request{
                            extents, std::vector<bool>(3, is_periodic), pattern, sizes, {}, {}, {}};
                        INFO(text_of(request));
                        const auto best = best_of_all(grid{extents, request.periods}, pattern, sizes);
                        const auto plan = grid_plan::of(request);
                        CHECK(plan.now.cost == best.total);
                        CHECK(plan.lower_bound.value() <= best.total.jsum);
                        request.first = mapping_goal::greatest;
                        CHECK(grid_plan::of(request).now.cost == best.greatest);
                        ++cases;
                    }
        });
    CHECK(cases > 300);
}

TEST_CASE("equal requests give equal plans") {
    random_requests requests{7};
    for (int i = 0; i < topo_test::repetitions(50); ++i) {
        const auto request = requests.next();
        const auto one = grid_plan::of(request), other = grid_plan::of(request);
        CHECK(one.owner == other.owner);
        CHECK(one.algorithm == other.algorithm);
    }
    if (topo_test::is_sanitized) return;
    // On any machine: this number was worked out on one. It changes when an algorithm does.
    std::uint64_t sum = 14695981039346656037U;
    for (int i = 0; i < 200; ++i)
        for (const int owner : grid_plan::of(requests.next()).owner)
            sum = (sum ^ static_cast<std::uint64_t>(owner)) * 1099511628211U;
    CHECK(sum == 10800531626943024485U);
}

} // namespace mapping_property_tests
