// SPDX-License-Identifier: BSL-1.0
// A tree among nodes and one inside each: against what both shapes say, on nodes of any sizes with ranks
// anywhere, from any root.
#include "support/some_nodes.hpp"
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/two_levels.hpp>
#include <topomp/algorithm/two_tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace two_levels_tests {

using topo::any_shape;
using topo::detail::node_leader;
using topo::detail::ranks_by_node;
using topo::detail::tree_edges;
using topo::detail::two_level_edges;

namespace {

const any_shape inner = any_shape::of<topo::below_single_child<topo::in_order_binary>>();

} // namespace

TEST_CASE("ranks node by node") {
    const ranks_by_node nodes{std::vector{0, 1, 0, 3, 1}};
    CHECK(nodes.nodes() == 3);
    CHECK(nodes.rank_order() == std::vector{0, 2, 1, 4, 3});
    CHECK(nodes.begins() == std::vector<std::size_t>{0, 2, 4, 5});
    CHECK(nodes.node_of(4) == 1);
    CHECK(std::ranges::equal(nodes.ranks_of(0), std::vector{0, 2}));
    CHECK(std::ranges::equal(nodes.ranks_of(2), std::vector{3}));
}

TEST_CASE("two nodes of three, by hand") {
    const ranks_by_node nodes{std::vector{0, 1, 0, 1, 0, 1}}; // 0 2 4 and 1 3 5
    const any_shape chain = any_shape::of<topo::chain>();
    const auto children = [&](node_leader which, int root, int rank) {
        return two_level_edges(nodes, which, chain, chain, root, rank).children;
    };
    using list = std::vector<int>;
    CHECK(children(node_leader::first, 0, 0) == list{1, 2});
    CHECK(children(node_leader::first, 0, 1) == list{3});
    CHECK(children(node_leader::first, 0, 4).empty());
    CHECK(children(node_leader::first, 4, 4) == list{1, 0}); // the root leads its node
    CHECK(children(node_leader::first, 4, 0) == list{2});
    CHECK(children(node_leader::in_the_middle, 0, 0) == list{3, 2});
    CHECK(children(node_leader::in_the_middle, 0, 3) == list{5});
    CHECK(children(node_leader::in_the_middle, 0, 5) == list{1});
    CHECK(two_level_edges(nodes, node_leader::first, chain, chain, 4, 1).parent == 4);
}

TEST_CASE("every rank hears once, each node through one rank, along the shape of nodes") {
    std::mt19937 random{5};
    for (int turn = 0; turn < 200; ++turn) {
        CAPTURE(turn);
        const std::vector<int> lowest = topo_test::some_nodes(random);
        const int ranks = static_cast<int>(lowest.size()),
                  root = std::uniform_int_distribution{0, ranks - 1}(random);
        const bool is_second = turn % 2 == 1;
        const any_shape outer = is_second ? any_shape::of<topo::detail::two_tree_half<1>>()
                                          : any_shape::of<topo::detail::two_tree_half<0>>();
        const ranks_by_node nodes{lowest};
        std::map<int, tree_edges> all;
        for (int rank = 0; rank < ranks; ++rank)
            all[rank] = two_level_edges(nodes, is_second ? node_leader::in_the_middle : node_leader::first,
                                        outer, inner, root, rank);
        const std::set<int> names(lowest.begin(), lowest.end()); // ascending, as nodes are numbered
        const std::vector<int> named(names.begin(), names.end());
        const auto number = [&](int rank) {
            const int name = lowest[static_cast<std::size_t>(rank)];
            return static_cast<int>(std::ranges::find(named, name) - named.begin());
        };
        const int n = static_cast<int>(named.size());
        std::map<int, int> entered; // how many messages enter a node
        int messages = 0;
        for (const auto& [rank, edges] : all) {
            CHECK((edges.parent == -1) == (rank == root));
            for (const int child : edges.children) {
                ++messages;
                CHECK(all[child].parent == rank);
                if (number(child) == number(rank)) continue;
                ++entered[number(child)];
                const auto of_node = [&](int one) { return (number(one) - number(root) + n) % n; };
                CHECK(outer.parent(of_node(child), n) == of_node(rank));
            }
            // The root receives nothing, a path leads from it to every rank, and operands go the opposite
            // way.
            int above = rank, steps = 0;
            while (all[above].parent != -1 && steps++ < ranks)
                above = all[above].parent;
            CHECK(above == root);
            CHECK(edges.operands.size() == edges.children.size());
        }
        CHECK(messages == ranks - 1);
        for (int node = 0; node < n; ++node)
            CHECK(entered[node] == (node == number(root) ? 0 : 1));
    }
}

} // namespace two_levels_tests
