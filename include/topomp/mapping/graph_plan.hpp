// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank is which vertex of a graph, worked out without MPI.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/bisection.hpp>
#include <topomp/mapping/blocked.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/growth.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo {

/// A way of mapping a graph to nodes.
enum class graph_algorithm : unsigned char {
    automatic, ///< all of the following, of which the best is refined and kept
    blocked,   ///< rank r is vertex r
    growth,    ///< node after node takes the vertex that is linked with it best
    bisection  ///< parts in orders grown the same way, cut near the middle where that separates least
};

/// `bisection`
constexpr std::string_view to_string(graph_algorithm which) {
    constexpr std::string_view names[] = {"automatic", "blocked", "growth", "bisection"};
    return names[static_cast<std::size_t>(which)];
}

/// What a plan for a graph is asked for. As many vertices as ranks.
struct graph_request {
    std::vector<graph_edge> edges; ///< directed; the weights of repeated ones add up
    std::vector<int> node_sizes;   ///< ranks of each node, in rank order
    std::vector<int> fixed;        ///< vertices that keep the rank with their number
    mapping_goal first = mapping_goal::total;
    graph_algorithm algorithm = graph_algorithm::automatic;
};

/// The vertices of a graph as ranks, and how good that is: a value. Equal requests give equal plans.
struct graph_plan {
    std::vector<int> owner; ///< of each vertex, the rank
    std::vector<int> node;  ///< of each vertex, the node
    graph_algorithm algorithm = graph_algorithm::blocked;
    bool is_refined = false;
    mapping_quality now, blocked;

    /// Makes a plan. @cost linear memory; edges times the logarithm of vertices and of nodes
    /// @throws argument_error if an edge or fixed vertex is no vertex, a weight is not positive, or the
    /// weights add up to more than 2^62
    /// @see paper 4, section 3.1
    static graph_plan of(const graph_request& request);
};

namespace detail {

class graph_planner {
public:
    explicit graph_planner(const graph_request& request)
        : request_(request), nodes_(checked_sizes("topo::graph_plan", "node", request.node_sizes)),
          fixed_(checked_fixed()), links_(nodes_.total(), checked_edges()), blocked_(blocked_map(nodes_)) {}

    graph_plan plan() const {
        graph_plan result;
        result.blocked = quality(blocked_);
        result.node = blocked_;
        mapping_cost lowest = result.blocked.cost;
        const auto asked = request_.algorithm;
        for (const auto each : {graph_algorithm::growth, graph_algorithm::bisection}) {
            if (asked != each && asked != graph_algorithm::automatic) continue;
            node_map map = each == graph_algorithm::growth ? grown() : bisected();
            const mapping_cost cost = cost_of(links_, map, nodes_.count());
            if (asked == graph_algorithm::automatic && !is_lower(cost, lowest, request_.first)) continue;
            result.node = std::move(map);
            result.algorithm = each;
            lowest = cost;
        }
        if (asked == graph_algorithm::automatic)
            result.is_refined = refine(links_, result.node, nodes_.count(), request_.first, lowest, fixed_);
        result.now = quality(result.node);
        number(result);
        return result;
    }

private:
    [[noreturn]] static void fail(const std::string& object, const std::string& problem) {
        throw argument_error("topo::graph_plan", object, problem);
    }

    void check_vertex(const std::string& object, int vertex) const {
        if (vertex < 0 || vertex >= nodes_.total())
            fail(object, std::to_string(vertex) + " is no vertex; there are 0 to " +
                             std::to_string(nodes_.total() - 1));
    }

    std::vector<bool> checked_fixed() const {
        std::vector<bool> result(static_cast<std::size_t>(nodes_.total()));
        for (const int vertex : request_.fixed) {
            check_vertex("fixed vertices", vertex);
            result[static_cast<std::size_t>(vertex)] = true;
        }
        return result;
    }

    const std::vector<graph_edge>& checked_edges() const {
        std::int64_t sum = 0;
        for (const auto& each : request_.edges) {
            check_vertex("edge", each.from);
            check_vertex("edge", each.to);
            if (each.weight < 1)
                fail("edge from " + std::to_string(each.from) + " to " + std::to_string(each.to),
                     "weight " + std::to_string(each.weight) + " is not positive");
            if (each.weight > (std::int64_t{1} << 62) - sum)
                fail("edges", "weights add up to more than 2^62");
            sum += each.weight;
        }
        return request_.edges;
    }

    bool is_fixed(int vertex) const { return fixed_[static_cast<std::size_t>(vertex)]; }

    mapping_quality quality(const node_map& map) const {
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

    /// How many ranks of each node are not fixed.
    std::vector<int> free_sizes() const {
        std::vector<int> sizes = nodes_.sizes();
        for (int vertex = 0; vertex < links_.size(); ++vertex)
            if (is_fixed(vertex))
                --sizes[static_cast<std::size_t>(blocked_[static_cast<std::size_t>(vertex)])];
        return sizes;
    }

    node_map grown() const {
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

    /// Of the free vertices, for the nodes that have room.
    node_map bisected() const {
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

    /// Fixed vertices keep their ranks; the others take a node's other ranks in order.
    void number(graph_plan& plan) const {
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

    const graph_request& request_;
    node_list nodes_;
    std::vector<bool> fixed_;
    graph_links links_;
    node_map blocked_;
};

} // namespace detail

inline graph_plan graph_plan::of(const graph_request& request) {
    return detail::graph_planner{request}.plan();
}

} // namespace topo
