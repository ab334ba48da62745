// SPDX-License-Identifier: BSL-1.0
// Routes of node-aggregated exchanges: every message that is awaited is sent; and when they pay.
#include <topomp/neighbour/detail/node_routes.hpp>
#include <topomp/neighbour/detail/records.hpp>
#include <topomp/neighbour/detail/shared_links.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace node_routes_tests {

using topo::detail::direct_from;
using topo::detail::node_members;
using topo::detail::node_routes;
using topo::detail::node_wishes;

/// The routes of all ranks. @param links from, to
std::vector<node_routes> routes_of(const node_members& who, const std::vector<std::pair<int, int>>& links) {
    std::vector<std::map<int, int>> out(who.node_of.size()), in(who.node_of.size());
    for (const auto& [from, to] : links) {
        if (who.node(from) == who.node(to)) continue;
        ++out[static_cast<std::size_t>(from)][who.node(to)];
        ++in[static_cast<std::size_t>(to)][who.node(from)];
    }
    std::vector<node_routes> result;
    for (std::size_t rank = 0; rank < who.node_of.size(); ++rank) {
        std::vector<node_wishes> wishes;
        for (const int other : who.of_node(who.node_of[rank])) {
            node_wishes& said = wishes.emplace_back();
            for (const auto& [node, count] : out[static_cast<std::size_t>(other)])
                said.out.push_back({node, count});
            for (const auto& [node, count] : in[static_cast<std::size_t>(other)])
                said.in.push_back({node, count});
        }
        result.push_back(node_routes::of(who, static_cast<int>(rank), wishes));
    }
    return result;
}

TEST_CASE("two nodes of two ranks") {
    const auto who = node_members::of(std::vector{5, 5, 9, 9});
    const auto all = routes_of(who, {{0, 2}, {1, 2}, {1, 3}});
    CHECK(who.carrier(0, 1) == 1);
    CHECK(who.carrier(1, 0) == 2);
    CHECK(all[0].give_to == std::vector{1});
    CHECK(all[1].gather_from == std::vector{0});
    CHECK(all[1].nodes_out == std::vector{1});
    CHECK(all[2].nodes_in == std::vector{0});
    CHECK(all[2].hand_to == std::vector{3});
    CHECK(all[3].receive_from == std::vector{2});
    CHECK(all[1].mine.direct == 2);
    CHECK(all[1].mine.links == 3);
    CHECK(all[1].mine.blocks == 2);
}

TEST_CASE("every message is sent by one rank and awaited by one, and every link has its three steps") {
    std::mt19937 random{1};
    for (int repetition = 0; repetition < 200; ++repetition) {
        const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
        const int ranks = 1 + below(12), nodes = 1 + below(ranks);
        std::vector<int> keys;
        for (int rank = 0; rank < ranks; ++rank)
            keys.push_back(below(nodes) * 7);
        const auto who = node_members::of(keys);
        std::vector<std::pair<int, int>> links;
        for (int i = below(40); i > 0; --i)
            links.emplace_back(below(ranks), below(ranks));
        const auto all = routes_of(who, links);
        std::set<std::pair<int, int>> given, gathered, sent, received, handed, taken;
        for (int rank = 0; rank < ranks; ++rank) {
            const node_routes& mine = all[static_cast<std::size_t>(rank)];
            for (const int to : mine.give_to)
                given.emplace(rank, to);
            for (const int from : mine.gather_from)
                gathered.emplace(from, rank);
            for (const int node : mine.nodes_out)
                sent.emplace(rank, who.carrier(node, who.node(rank)));
            for (const int node : mine.nodes_in)
                received.emplace(who.carrier(node, who.node(rank)), rank);
            for (const int to : mine.hand_to)
                handed.emplace(rank, to);
            for (const int from : mine.receive_from)
                taken.emplace(from, rank);
        }
        CHECK(given == gathered);
        CHECK(sent == received);
        CHECK(handed == taken);
        for (const auto& [from, to] : links) {
            if (who.node(from) == who.node(to)) continue;
            const int out = who.carrier(who.node(from), who.node(to)),
                      in = who.carrier(who.node(to), who.node(from));
            CHECK((from == out || given.contains({from, out})));
            CHECK(sent.contains({out, in}));
            CHECK((to == in || handed.contains({in, to})));
        }
    }
}

TEST_CASE("by node where that saves messages, up to the length at which bytes outweigh them") {
    CHECK(direct_from({4, 4, 8, 8}, 8) == 0);         // as many messages
    CHECK(direct_from({10, 3, 10, 10}, 10) == 65536); // no more bytes
    // 4096 (20 - 4 - 2) - 24 * 40 = 56384 against 20 blocks more: 2819 bytes
    CHECK(direct_from({20, 4, 40, 40}, 40) == 2819);
}

TEST_CASE("through memory where that saves messages, or bytes on the link of a node") {
    using load = topo::detail::shared_links::load;
    constexpr std::size_t all = topo::detail::shared_links::longest + 1;
    CHECK(load{0, 0, 0, 0, 0, 0, 1}.limit(false) == 0);     // all inside nodes
    CHECK(load{1, 1, 16, 3, 16, 3, 1}.limit(false) == 0);   // no message less
    CHECK(load{4, 1, 8, 12, 8, 12, 1}.limit(false) == 706); // 1.8 - 0.5 us against 0.64 + 1.2 ns a byte
    // 17 messages less: 10.2 us - 0.5 us against 23.04 ns on the link and 54 copies of 0.1 ns
    CHECK(load{18, 1, 288, 54, 32, 22, 1}.limit(false) == 341);
    CHECK(load{18, 1, 288, 54, 32, 22, 1}.limit(true) == all); // 288 blocks on the link in place of 32
    CHECK(load{18, 1, 32, 54, 32, 22, 1}.limit(true) == 2037); // no block less
    // From 1.1 us / (0.64 - 0.56 ns) on the bytes that do not cross would be worth it, but only up to 2321
    // carriers.
    CHECK(load{4, 1, 8, 4, 2, 4, 1}.limit(true) == 2321);
}

TEST_CASE("carriers that may have nothing are worth it only beside many direct messages") {
    using load = topo::detail::shared_links::load;
    CHECK(load{18, 1, 288, 54, 32, 22, 1}.hides_carriers());       // 0.6 us is 4.7 % of 12.8 us
    CHECK_FALSE(load{16, 1, 288, 54, 32, 22, 1}.hides_carriers()); // 5.2 % of 11.6 us
}

TEST_CASE("records come out as they went in") {
    using topo::detail::link_end;
    using topo::detail::record_buffer;
    record_buffer all;
    for (std::size_t length = 0; length < 20; ++length) {
        const std::vector<link_end> targets(length % 4 + 1, link_end{static_cast<int>(length), 3});
        std::byte* const to = all.append(static_cast<int>(length) + 5, targets, length);
        std::fill_n(to, length, static_cast<std::byte>(length));
    }
    std::size_t next = 0;
    record_buffer::for_each(all.view(), [&](const record_buffer::record& each) {
        CHECK(each.source == static_cast<int>(next) + 5);
        CHECK(each.targets.size() == next % 4 + 1);
        CHECK(each.targets.back() == link_end{static_cast<int>(next), 3});
        CHECK(each.data.size() == next);
        CHECK(std::ranges::all_of(each.data, [&](std::byte b) { return b == static_cast<std::byte>(next); }));
        ++next;
    });
    CHECK(next == 20);
}

} // namespace node_routes_tests
