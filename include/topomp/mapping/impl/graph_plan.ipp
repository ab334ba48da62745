// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/cost/quality.hpp>
#include <topomp/mapping/graph/bisection.hpp>
#include <topomp/mapping/graph/graph_parts.hpp>
#include <topomp/mapping/graph/growth.hpp>
#include <topomp/mapping/graph/refine_map.hpp>
#include <topomp/mapping/graph/scotch.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/grid/blocked.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE graph_planner::graph_planner(const graph_request& request)
    : request_(request), nodes_(checked_sizes("topo::graph_plan", "node", request.node_sizes)),
      fixed_(checked_fixed()), links_(nodes_.total(), checked_edges()), blocked_(blocked_map(nodes_)) {}

TOPOMP_INLINE graph_plan graph_planner::plan() const {
    graph_plan result;
    result.blocked = quality(blocked_);
    candidate best = request_.algorithm == graph_algorithm::automatic ? automatic() : asked_for();
    result.node = std::move(best.map);
    result.algorithm = best.algorithm;
    result.is_refined = best.is_refined;
    result.now = quality(result.node);
    number(result);
    return result;
}

TOPOMP_INLINE graph_planner::candidate graph_planner::made_by(graph_algorithm which) const {
    candidate made{which == graph_algorithm::growth      ? grown()
                   : which == graph_algorithm::bisection ? bisected()
                                                         : blocked_,
                   {},
                   which};
    made.cost = cost_of(links_, made.map, nodes_.count());
    return made;
}

TOPOMP_INLINE graph_planner::candidate graph_planner::asked_for() const {
    if (request_.algorithm != graph_algorithm::scotch) return made_by(request_.algorithm);
    auto made = made_by_scotch();
    if (made) return std::move(*made);
    fail("algorithm scotch", has_scotch ? "it has no mapping of this graph; automatic has"
                                        : "this program was built without Scotch");
}

TOPOMP_INLINE std::optional<graph_planner::candidate> graph_planner::made_by_scotch() const {
    auto map = scotch_map(links_, nodes_, fixed_, blocked_);
    if (!map) return std::nullopt;
    const mapping_cost cost = cost_of(links_, *map, nodes_.count());
    return candidate{std::move(*map), cost, graph_algorithm::scotch};
}

TOPOMP_INLINE void graph_planner::refine_more(candidate& what, std::int64_t budget) const {
    what.is_refined = refine(links_, what.map, nodes_.count(), request_.first, what.cost, fixed_, budget);
}

TOPOMP_INLINE void graph_planner::keep_better(candidate& best, candidate&& next) const {
    if (best.map.empty() || is_lower(next.cost, best.cost, request_.first)) best = std::move(next);
}

TOPOMP_INLINE graph_planner::candidate graph_planner::automatic() const {
    candidate best, longest;
    for (const auto each : {graph_algorithm::blocked, graph_algorithm::growth, graph_algorithm::bisection}) {
        if (request_.effort == mapping_effort::little && each == graph_algorithm::bisection) continue;
        candidate next = made_by(each);
        if (request_.effort == mapping_effort::much) {
            candidate longer = next;
            refine_more(longer, 8 * refinement_budget);
            keep_better(longest, std::move(longer));
        }
        keep_better(best, std::move(next));
    }
    if (request_.effort != mapping_effort::little) refine_more(best, refinement_budget);
    if (!longest.map.empty()) keep_better(best, std::move(longest));
    add_scotch(best);
    return best;
}

TOPOMP_INLINE void graph_planner::add_scotch(candidate& best) const {
    const bool is_much = request_.effort == mapping_effort::much;
    constexpr int few = 1 << 12; // more take Scotch longer than everything else
    if (request_.effort == mapping_effort::little || (!is_much && links_.size() > few)) return;
    auto next = made_by_scotch();
    if (!next) return;
    refine_more(*next, is_much ? 8 * refinement_budget : refinement_budget);
    keep_better(best, std::move(*next));
}

TOPOMP_INLINE void graph_planner::fail(const std::string& object, const std::string& problem) {
    throw argument_error("topo::graph_plan", object, problem);
}

TOPOMP_INLINE void graph_planner::check_vertex(const std::string& object, int vertex) const {
    if (vertex < 0 || vertex >= nodes_.total())
        fail(object,
             std::to_string(vertex) + " is no vertex; there are 0 to " + std::to_string(nodes_.total() - 1));
}

TOPOMP_INLINE std::vector<bool> graph_planner::checked_fixed() const {
    std::vector<bool> result(static_cast<std::size_t>(nodes_.total()));
    for (const int vertex : request_.fixed) {
        check_vertex("fixed vertices", vertex);
        result[static_cast<std::size_t>(vertex)] = true;
    }
    return result;
}

TOPOMP_INLINE const std::vector<graph_edge>& graph_planner::checked_edges() const {
    std::int64_t sum = 0;
    for (const auto& each : request_.edges) {
        check_vertex("edge", each.from);
        check_vertex("edge", each.to);
        if (each.weight < 1)
            fail("edge from " + std::to_string(each.from) + " to " + std::to_string(each.to),
                 "weight " + std::to_string(each.weight) + " is not positive");
        if (each.weight > (std::int64_t{1} << 60) - sum) fail("edges", "weights add up to more than 2^60");
        sum += each.weight;
    }
    return request_.edges;
}

TOPOMP_INLINE mapping_quality graph_planner::quality(const node_map& map) const {
    mapping_quality result;
    result.cost = cost_of(links_, map, nodes_.count());
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    result.on_node.min = result.off_node.min = most;
    std::int64_t on = 0, off = 0;
    for (int vertex = 0; vertex < links_.size(); ++vertex) {
        std::int64_t here = 0, elsewhere = 0;
        links_.visit(vertex, [&](int other, std::int64_t out, std::int64_t) {
            if (out == 0) return;
            ++(map[static_cast<std::size_t>(other)] == map[static_cast<std::size_t>(vertex)] ? here
                                                                                             : elsewhere);
        });
        on += here;
        off += elsewhere;
        result.on_node.min = std::min(result.on_node.min, here);
        result.on_node.max = std::max(result.on_node.max, here);
        result.off_node.min = std::min(result.off_node.min, elsewhere);
        result.off_node.max = std::max(result.off_node.max, elsewhere);
    }
    result.on_node.mean = static_cast<double>(on) / links_.size();
    result.off_node.mean = static_cast<double>(off) / links_.size();
    return result;
}

TOPOMP_INLINE std::vector<int> graph_planner::free_sizes() const {
    std::vector<int> sizes = nodes_.sizes();
    for (int vertex = 0; vertex < links_.size(); ++vertex)
        if (is_fixed(vertex)) --sizes[static_cast<std::size_t>(blocked_[static_cast<std::size_t>(vertex)])];
    return sizes;
}

TOPOMP_INLINE node_map graph_planner::grown() const {
    node_map map = blocked_;
    growing set{links_};
    for (int vertex = 0; vertex < links_.size(); ++vertex)
        if (!is_fixed(vertex)) set.release(vertex);
    const auto sizes = free_sizes();
    int next = 0;
    for (int node = 0; node < nodes_.count(); ++node) {
        set.begin();
        for (int i = 0; i < nodes_.size(node); ++i)
            if (is_fixed(nodes_.start(node) + i)) set.take(nodes_.start(node) + i);
        for (int left = sizes[static_cast<std::size_t>(node)]; left > 0; --left) {
            while (!set.is_free(next))
                ++next;
            const int vertex = set.best().value_or(next);
            set.take(vertex);
            map[static_cast<std::size_t>(vertex)] = node;
        }
    }
    return map;
}

TOPOMP_INLINE node_map graph_planner::bisected() const {
    std::vector<int> sizes, numbers, vertices;
    const auto all = free_sizes();
    for (std::size_t node = 0; node < all.size(); ++node)
        if (all[node] > 0) {
            sizes.push_back(all[node]);
            numbers.push_back(static_cast<int>(node));
        }
    for (int vertex = 0; vertex < links_.size(); ++vertex)
        if (!is_fixed(vertex)) vertices.push_back(vertex);
    node_map map = blocked_;
    if (vertices.empty()) return map;
    node_map movable(map.size(), -1);
    const node_list rooms{sizes};
    bisection<graph_links, graph_orders>{links_, rooms, graph_orders{links_}}.run(movable, vertices,
                                                                                  {0, rooms.count()});
    for (const int vertex : vertices)
        map[static_cast<std::size_t>(vertex)] =
            numbers[static_cast<std::size_t>(movable[static_cast<std::size_t>(vertex)])];
    return map;
}

TOPOMP_INLINE void graph_planner::number(graph_plan& plan) const {
    std::vector<int> next;
    for (int node = 0; node < nodes_.count(); ++node)
        next.push_back(nodes_.start(node));
    plan.owner.resize(plan.node.size());
    for (int vertex = 0; vertex < links_.size(); ++vertex) {
        int& rank = next[static_cast<std::size_t>(plan.node[static_cast<std::size_t>(vertex)])];
        if (is_fixed(vertex)) {
            plan.owner[static_cast<std::size_t>(vertex)] = vertex;
            continue;
        }
        while (is_fixed(rank))
            ++rank;
        plan.owner[static_cast<std::size_t>(vertex)] = rank++;
    }
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE graph_plan graph_plan::of(const graph_request& request) {
    graph_plan plan = detail::graph_planner{request}.plan();
    if (!request.parts.empty()) detail::graph_parts{request, plan}.run();
    return plan;
}

} // namespace topo
