// SPDX-License-Identifier: BSL-1.0
// The tree in which every informed rank sends on: each message of it against the rules, on nodes of any sizes
// with ranks anywhere, and times that were worked out by hand or follow from the postal model.
#include "support/some_nodes.hpp"
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/node_aware_tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace node_aware_tree_tests {

using topo::detail::node_aware_rule;
using topo::detail::node_aware_tree;
using topo::detail::ranks_by_node;
using topo::detail::tree_edges;

namespace {

struct sent_message {
    int from = 0, to = 0, arrives = 0;
    friend bool operator==(const sent_message&, const sent_message&) = default;
};

std::vector<sent_message> all_sends(const std::vector<int>& lowest, int root, node_aware_rule rule) {
    std::vector<sent_message> result;
    node_aware_tree{ranks_by_node{lowest}}.send_all(root, rule, [&](int from, int to, int arrives) {
        result.push_back({from, to, arrives});
    });
    return result;
}

int last_arrival(const std::vector<sent_message>& all) {
    return all.empty() ? 0 : std::ranges::max(all, {}, &sent_message::arrives).arrives;
}

/// Nodes of equal size, ranks node by node.
std::vector<int> equal_nodes(int nodes, int ranks) {
    std::vector<int> lowest;
    for (int rank = 0; rank < nodes * ranks; ++rank)
        lowest.push_back(rank / ranks * ranks);
    return lowest;
}

/// When a postal tree is complete.
template <int Lambda>
int postal_time(int ranks) {
    int last = 0;
    const std::function<void(int, int)> inform = [&](int v, int time) {
        last = std::max(last, time);
        topo::postal<Lambda>::children(v, ranks, [&](int child) { inform(child, Lambda + time++); });
    };
    inform(0, 0);
    return last;
}

} // namespace

TEST_CASE("three nodes of three, by hand") {
    CHECK(all_sends(equal_nodes(3, 3), 0, {4, 2}) ==
          std::vector<sent_message>{
              {0, 1, 2}, {0, 3, 5}, {0, 6, 6}, {1, 2, 4}, {3, 4, 7}, {3, 5, 8}, {6, 7, 8}, {6, 8, 9}});
    // The root's node is informed first, whatever its number; then the others in the order of their lowest
    // ranks.
    CHECK(all_sends({0, 1, 0, 1}, 3, {3, 1}) == std::vector<sent_message>{{3, 1, 1}, {3, 0, 4}, {0, 2, 5}});
    // Rank 8 is informed at 4; of its node 2, 3, 5, 8 ranks are at 6, 7, 8, 9, if no rank of the other one
    // sends.
    CHECK(last_arrival(all_sends(equal_nodes(2, 8), 0, {3, 2})) == 9);
    CHECK(last_arrival(all_sends(equal_nodes(2, 8), 0, {3, 2, true})) == 8);
}

TEST_CASE("as fast as a postal tree where all ranks are in one node, or each in its own") {
    for (const int ranks : {1, 2, 3, 7, 8, 24, 100}) {
        CAPTURE(ranks);
        CHECK(last_arrival(all_sends(equal_nodes(1, ranks), 0, {5, 3})) == postal_time<3>(ranks));
        CHECK(last_arrival(all_sends(equal_nodes(ranks, 1), 0, {5, 3})) == postal_time<5>(ranks));
    }
    // Leaders first, then each node by itself, takes longer.
    CHECK(last_arrival(all_sends(equal_nodes(10, 24), 0, {5, 3, true})) <
          postal_time<5>(10) + postal_time<3>(24));
}

TEST_CASE("messages keep the rules, from any root, on nodes of any sizes") {
    std::mt19937 random{3};
    for (int turn = 0; turn < 200; ++turn) {
        const std::vector<int> lowest = topo_test::some_nodes(random);
        const int ranks = static_cast<int>(lowest.size()),
                  root = std::uniform_int_distribution{0, ranks - 1}(random);
        const int inside = 1 + turn % 3;
        const node_aware_rule rule{inside + turn % 5, inside, turn % 2 == 1};
        CAPTURE(turn);
        std::map<int, int> informed_at{{root, 0}}, free_at{{root, 0}};
        std::map<int, tree_edges> expected;
        expected[root].parent = -1;
        for (const sent_message& each : all_sends(lowest, root, rule)) {
            REQUIRE(informed_at.contains(each.from));
            const bool is_near =
                lowest[static_cast<std::size_t>(each.from)] == lowest[static_cast<std::size_t>(each.to)];
            const int sent = each.arrives - (is_near ? rule.inside_node : rule.between_nodes);
            CHECK(sent == free_at[each.from]); // no rank is idle, and none sends twice at a time
            free_at[each.from] = sent + 1;
            CHECK(informed_at.try_emplace(each.to, each.arrives).second); // no rank is informed twice
            free_at[each.to] = each.arrives;
            expected[each.from].children.push_back(each.to);
            expected[each.to].parent = each.from;
        }
        CHECK(informed_at.size() == lowest.size());
        const ranks_by_node nodes{lowest};
        const node_aware_tree tree{nodes};
        for (int rank = 0; rank < ranks; ++rank) {
            const tree_edges edges = tree.edges(root, rank, rule);
            CHECK(edges.parent == expected[rank].parent);
            CHECK(edges.children == expected[rank].children);
            std::vector<int> operands;
            for (const auto& each : edges.operands)
                operands.push_back(each.rank);
            std::ranges::reverse(operands);
            CHECK(operands == edges.children);
        }
    }
}

} // namespace node_aware_tree_tests
