// SPDX-License-Identifier: BSL-1.0
// Plans of graphs: against counting, against plans of the same grids, and what is refused.
#include "support/complaint.hpp"
#include "support/mapping.hpp"
#include "support/repetitions.hpp"
#include <topomp/mapping/graph/scotch.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/grid_plan.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace graph_plan_tests {

using topo::graph_algorithm;
using topo::graph_edge;
using topo::graph_plan;
using topo::graph_request;
using topo::mapping_cost;
using topo::mapping_goal;
using topo_test::complaint;
using topo_test::nodes_of;

namespace {

std::vector<graph_edge> edges_of(const topo::grid& cells, const topo::stencil& pattern) {
    std::vector<graph_edge> edges;
    for (int cell = 0; cell < cells.size(); ++cell)
        for (const auto& each : pattern.offsets())
            if (const int other = cells.neighbour(cell, each.steps); other != topo::grid::outside)
                edges.push_back({cell, other, each.weight});
    return edges;
}

std::vector<int> nodes_of_ranks(const std::vector<int>& sizes) {
    std::vector<int> result;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        result.insert(result.end(), static_cast<std::size_t>(sizes[i]), static_cast<int>(i));
    return result;
}

mapping_cost counted(const graph_request& request, const std::vector<int>& node) {
    std::vector<std::int64_t> sent(request.node_sizes.size());
    for (const auto& each : request.edges)
        if (node[static_cast<std::size_t>(each.from)] != node[static_cast<std::size_t>(each.to)])
            sent[static_cast<std::size_t>(node[static_cast<std::size_t>(each.from)])] += each.weight;
    return {std::accumulate(sent.begin(), sent.end(), std::int64_t{0}), *std::ranges::max_element(sent)};
}

/// The partners of each vertex on its node and elsewhere, each once.
void check_partners(const graph_request& request, const std::vector<int>& node,
                    const topo::mapping_quality& found) {
    std::map<int, std::pair<std::set<int>, std::set<int>>> partners;
    for (std::size_t v = 0; v < node.size(); ++v)
        partners[static_cast<int>(v)];
    for (const auto& each : request.edges)
        if (each.from != each.to) {
            auto& [on, off] = partners[each.from];
            const bool is_here =
                node[static_cast<std::size_t>(each.from)] == node[static_cast<std::size_t>(each.to)];
            (is_here ? on : off).insert(each.to);
        }
    std::size_t most_on = 0, least_off = node.size(), sum_off = 0;
    for (const auto& [vertex, both] : partners) {
        most_on = std::max(most_on, both.first.size());
        least_off = std::min(least_off, both.second.size());
        sum_off += both.second.size();
    }
    CHECK(found.on_node.max == static_cast<std::int64_t>(most_on));
    CHECK(found.off_node.min == static_cast<std::int64_t>(least_off));
    CHECK(found.off_node.mean ==
          doctest::Approx(static_cast<double>(sum_off) / static_cast<double>(node.size())));
}

graph_request random_request(std::mt19937& numbers) {
    const auto below = [&](int end) { return static_cast<int>(numbers() % static_cast<std::uint32_t>(end)); };
    graph_request request;
    int vertices = 0;
    for (int i = 0; i <= below(6); ++i) {
        request.node_sizes.push_back(1 + below(9));
        vertices += request.node_sizes.back();
    }
    const int edges = below(4 * vertices);
    for (int i = 0; i < edges; ++i)
        request.edges.push_back({below(vertices), below(vertices), 1 + below(5)});
    if (below(2) == 0)
        for (int vertex = 0; vertex < vertices; ++vertex)
            if (below(4) == 0) request.fixed.push_back(vertex);
    if (below(10) == 0) {
        request.fixed.resize(static_cast<std::size_t>(vertices)); // all
        std::iota(request.fixed.begin(), request.fixed.end(), 0);
    }
    request.first = below(2) == 0 ? mapping_goal::total : mapping_goal::greatest;
    return request;
}

void check_plan(const graph_request& request, const graph_plan& plan) {
    const auto node_of_rank = nodes_of_ranks(request.node_sizes);
    std::vector<int> owners = plan.owner, all(node_of_rank.size());
    std::iota(all.begin(), all.end(), 0);
    std::ranges::sort(owners);
    CHECK(owners == all);
    bool is_consistent = true;
    for (std::size_t v = 0; v < plan.owner.size(); ++v)
        is_consistent =
            is_consistent && plan.node[v] == node_of_rank[static_cast<std::size_t>(plan.owner[v])];
    CHECK(is_consistent);
    for (const int vertex : request.fixed)
        CHECK(plan.owner[static_cast<std::size_t>(vertex)] == vertex);
    CHECK(plan.now.cost == counted(request, plan.node));
    CHECK(plan.blocked.cost == counted(request, node_of_rank));
    check_partners(request, plan.node, plan.now);
}

/// Scotch has to be there, and has something to do where links join vertices and there are several nodes.
bool can_map_by_scotch(const graph_request& request) {
    return topo::detail::has_scotch && request.node_sizes.size() > 1 &&
           std::ranges::any_of(request.edges, [](const graph_edge& each) { return each.from != each.to; });
}

} // namespace

TEST_CASE("a plan of a graph is a bijection, keeps what is fixed, costs what it says, and is the best") {
    std::mt19937 numbers{2003};
    for (int i = 0; i < topo_test::repetitions(1500); ++i) {
        graph_request request = random_request(numbers);
        INFO("case " << i);
        const auto best = graph_plan::of(request);
        check_plan(request, best);
        request.effort = topo::mapping_effort::little;
        const auto little = graph_plan::of(request);
        check_plan(request, little);
        CHECK(!topo::detail::is_lower(little.now.cost, best.now.cost, request.first));
        CHECK(!topo::detail::is_lower(little.blocked.cost, little.now.cost, request.first));
        request.effort = topo::mapping_effort::much;
        const auto much = graph_plan::of(request);
        check_plan(request, much);
        CHECK(!topo::detail::is_lower(best.now.cost, much.now.cost, request.first));
        request.effort = topo::mapping_effort::usual;
        for (const auto each : {graph_algorithm::blocked, graph_algorithm::growth, graph_algorithm::bisection,
                                graph_algorithm::scotch}) {
            request.algorithm = each;
            if (each == graph_algorithm::scotch && !can_map_by_scotch(request)) continue;
            const auto plan = graph_plan::of(request);
            check_plan(request, plan);
            CHECK(plan.algorithm == each);
            CHECK(!topo::detail::is_lower(plan.now.cost, best.now.cost, request.first));
        }
    }
}

TEST_CASE("graphs that are grids come near the plans of the grids") {
    const auto compare = [](std::vector<int> dims, const std::vector<int>& nodes, double factor) {
        const auto pattern = topo::stencil::star(dims.size());
        const auto of_grid = topo::grid_plan::of({dims, {}, pattern, nodes, {}, {}, {}});
        const auto of_graph = graph_plan::of({edges_of(topo::grid{dims}, pattern), nodes, {}, {}, {}});
        CHECK(of_graph.blocked.cost == of_grid.blocked.cost);
        CHECK(static_cast<double>(of_graph.now.cost.jsum) <=
              factor * static_cast<double>(of_grid.now.cost.jsum));
        CHECK(of_graph.now.cost.jsum < of_graph.blocked.cost.jsum);
    };
    compare({50, 48}, nodes_of(50, 48), 1.3);
    compare({40, 25}, nodes_of(20, 48, 40), 1.3);
    compare({9, 8, 8}, nodes_of(16, 36), 1.3);
    compare({32, 32}, nodes_of(64, 16), 1.3);
}

TEST_CASE("vertices are mapped to parts of nodes too, and stay on their nodes") {
    std::mt19937 numbers{2004};
    const auto halves = [](const std::vector<int>& sizes) {
        std::vector<int> result;
        for (const int each : sizes) {
            result.push_back((each + 1) / 2);
            if (each > 1) result.push_back(each / 2);
        }
        return result;
    };
    for (int i = 0; i < topo_test::repetitions(500); ++i) {
        graph_request request = random_request(numbers);
        INFO("case " << i);
        const auto without = graph_plan::of(request);
        request.parts = {halves(request.node_sizes)};
        if (i % 2 == 0) request.parts.push_back(halves(request.parts[0]));
        const auto plan = graph_plan::of(request);
        check_plan(request, plan);
        CHECK(plan.node == without.node);
        for (std::size_t level = 0; level < request.parts.size(); ++level) {
            // What a level costs, edge by edge.
            const auto whole = nodes_of_ranks(level == 0 ? request.node_sizes : request.parts[level - 1]);
            const auto part = nodes_of_ranks(request.parts[level]);
            std::vector<std::int64_t> sent(request.parts[level].size());
            for (const auto& each : request.edges) {
                const auto from = static_cast<std::size_t>(plan.owner[static_cast<std::size_t>(each.from)]);
                const auto to = static_cast<std::size_t>(plan.owner[static_cast<std::size_t>(each.to)]);
                if (whole[from] == whole[to] && part[from] != part[to])
                    sent[static_cast<std::size_t>(part[from])] += each.weight;
            }
            const auto& [now, blocked] = plan.parts.at(level);
            CHECK(now == mapping_cost{std::accumulate(sent.begin(), sent.end(), std::int64_t{0}),
                                      *std::ranges::max_element(sent)});
            if (level == 0 && request.first == mapping_goal::total) CHECK(now.jsum <= blocked.jsum);
        }
    }
    // Pairs that are far apart come to one node of four, and there to one part of two.
    graph_request pairs{{}, {4, 4}, {}, {}, {}, {}, {{2, 2, 2, 2}}};
    for (int v = 0; v < 8; ++v)
        pairs.edges.push_back({v, (v + 4) % 8});
    const auto plan = graph_plan::of(pairs);
    CHECK(plan.now.cost.jsum == 0);
    CHECK(plan.parts.at(0).now.jsum == 0);
    pairs.parts = {{3, 3, 2}};
    CHECK(complaint<topo::argument_error>([&] { graph_plan::of(pairs); }) ==
          "topo::graph_plan: parts of nodes: one has ranks on both sides of rank 4, where a node or an outer "
          "part begins");
}

TEST_CASE("nodes of the wrong size are repaired, and what is fixed stays") {
    std::mt19937 numbers{7};
    for (int i = 0; i < topo_test::repetitions(500); ++i) {
        const graph_request request = random_request(numbers);
        const topo::detail::node_list nodes{request.node_sizes};
        const topo::detail::graph_links links{nodes.total(), request.edges};
        const auto blocked = nodes_of_ranks(request.node_sizes);
        std::vector<bool> fixed(blocked.size());
        for (const int vertex : request.fixed)
            fixed[static_cast<std::size_t>(vertex)] = true;
        auto map = blocked;
        for (std::size_t v = 0; v < map.size(); ++v)
            if (!fixed[v]) map[v] = static_cast<int>(numbers() % static_cast<std::uint32_t>(nodes.count()));
        topo::detail::node_repair{links, nodes, fixed, map}.run();
        for (std::size_t v = 0; v < map.size(); ++v)
            if (fixed[v]) CHECK(map[v] == blocked[v]);
        for (int node = 0; node < nodes.count(); ++node)
            CHECK(std::ranges::count(map, node) == nodes.size(node));
    }
}

TEST_CASE("without Scotch its name is refused") {
    if (topo::detail::has_scotch) return;
    CHECK(complaint<topo::argument_error>([] {
              graph_plan::of({{{0, 1}}, {1, 1}, {}, {}, graph_algorithm::scotch});
          }) == "topo::graph_plan: algorithm scotch: this program was built without Scotch");
}

TEST_CASE("shuffled cliques are found again") {
    // Vertex v belongs to clique v % 6.
    graph_request request;
    request.node_sizes = nodes_of(6, 5);
    for (int one = 0; one < 30; ++one)
        for (int other = 0; other < 30; ++other)
            if (one != other && one % 6 == other % 6) request.edges.push_back({one, other});
    const auto plan = graph_plan::of(request);
    CHECK(plan.now.cost == mapping_cost{0, 0});
    CHECK(plan.blocked.cost.jsum == 120);
    // Vertices that have to stay take their friends with them.
    request.fixed = {29, 0};
    const auto kept = graph_plan::of(request);
    CHECK(kept.now.cost == mapping_cost{0, 0});
    CHECK(kept.owner[29] == 29);
    CHECK(kept.owner[0] == 0);
}

TEST_CASE("what is no graph is refused") {
    const auto says = [](graph_request request) {
        return complaint<topo::argument_error>([&] { graph_plan::of(request); });
    };
    CHECK(says({{}, {}, {}, {}, {}}) == "topo::graph_plan: nodes: there is none");
    CHECK(says({{}, {4, 0}, {}, {}, {}}) == "topo::graph_plan: node 1: 0 ranks; each has at least 1");
    CHECK(says({{{0, 4}}, {4}, {}, {}, {}}) == "topo::graph_plan: edge: 4 is no vertex; there are 0 to 3");
    CHECK(says({{{-1, 0}}, {4}, {}, {}, {}}) == "topo::graph_plan: edge: -1 is no vertex; there are 0 to 3");
    CHECK(says({{{1, 2, 0}}, {4}, {}, {}, {}}) ==
          "topo::graph_plan: edge from 1 to 2: weight 0 is not positive");
    CHECK(says({{{1, 2, INT64_MAX}}, {4}, {}, {}, {}}) ==
          "topo::graph_plan: edges: weights add up to more than 2^60");
    CHECK(says({{}, {4}, {4}, {}, {}}) ==
          "topo::graph_plan: fixed vertices: 4 is no vertex; there are 0 to 3");
}

} // namespace graph_plan_tests
