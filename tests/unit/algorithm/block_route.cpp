// SPDX-License-Identifier: BSL-1.0
#include <topomp/algorithm/schedule/block_route.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace block_route_tests {

using topo::detail::block_route;
using topo::detail::exchange_order;
using topo::detail::ranks_by_node;

/// Moves a block between each two ranks along the routes of all ranks, and checks that each message is
/// awaited. @return the most messages that a rank sends
std::size_t check_routes(const std::vector<block_route>& routes) {
    const auto size = static_cast<int>(routes.size());
    std::size_t most = 0;
    for (int rank = 0; rank < size; ++rank) {
        std::size_t messages = 0;
        for (std::size_t r = 0; r < routes[static_cast<std::size_t>(rank)].rounds().size(); ++r) {
            const auto& now = routes[static_cast<std::size_t>(rank)].rounds()[r];
            messages += now.to.size();
            for (const int to : now.to) {
                // Ranks of a smaller node have fewer rounds inside it, but stand at the same exchange.
                bool is_awaited = false;
                for (const auto& there : routes[static_cast<std::size_t>(to)].rounds())
                    is_awaited = is_awaited || std::ranges::count(there.from, rank) == 1;
                CHECK(is_awaited);
            }
        }
        most = std::max(most, messages);
    }
    for (int source = 0; source < size; ++source)
        for (int target = 0; target < size; ++target) {
            int at = source;
            std::size_t round = 0, moves = 0;
            while (round < routes[static_cast<std::size_t>(at)].rounds().size()) {
                const auto& route = routes[static_cast<std::size_t>(at)];
                const auto& now = route.rounds()[round];
                const int next = route.next(now, target);
                ++round;
                if (next == block_route::stays) continue;
                REQUIRE(next >= 0);
                REQUIRE(static_cast<std::size_t>(next) < now.to.size());
                at = now.to[static_cast<std::size_t>(next)];
                ++moves;
                if (now.weight != 0) continue;
                // Behind the exchange between nodes, where the other node has its own number of rounds.
                const auto& rounds = routes[static_cast<std::size_t>(at)].rounds();
                round = 1 + static_cast<std::size_t>(
                                std::ranges::find(rounds, 0, &block_route::round::weight) - rounds.begin());
            }
            CHECK(at == target);
            CHECK((source != target || moves == 0));
        }
    return most;
}

std::vector<block_route> bruck(int size, int radix) {
    std::vector<int> ranks(static_cast<std::size_t>(size)); // 0 2 4 ... 1 3 5 ...
    for (int i = 0; i < size; ++i)
        ranks[static_cast<std::size_t>(i)] = 2 * i < size ? 2 * i : 2 * (i - (size + 1) / 2) + 1;
    std::vector<block_route> routes;
    for (int rank = 0; rank < size; ++rank)
        routes.emplace_back(exchange_order{ranks, rank}, radix);
    return routes;
}

TEST_CASE("K-ary Bruck brings each block to its target in (K - 1) log_K p messages") {
    for (int size = 1; size <= 40; ++size)
        for (const int radix : {2, 3, 4, 7, 64}) {
            INFO(size << " ranks, radix " << radix);
            const std::size_t messages = check_routes(bruck(size, radix));
            std::size_t rounds = 0;
            for (long long reached = 1; reached < size; reached *= radix)
                ++rounds;
            CHECK(messages <= rounds * static_cast<std::size_t>(radix - 1));
        }
    CHECK(check_routes(bruck(9, 3)) == 4);
    CHECK(check_routes(bruck(10, 3)) == 5); // by 1 and 2, by 3 and 6, by 9
}

TEST_CASE("node by node each block reaches its target, and two nodes exchange one message") {
    // Ranks of each node; their lowest.
    const std::vector<std::vector<std::vector<int>>> machines{
        {{0}},
        {{0, 1, 2}},
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}},
        {{0, 3, 6}, {1, 4, 7}, {2, 5, 8}},
        {{0, 1, 2, 3, 4}, {5}, {6, 7}},
        {{0, 9}, {1}, {2, 3, 4, 5}, {6}, {7, 8}, {10, 11}, {12}},
        {{0}, {1}, {2}, {3}, {4}}};
    for (const auto& machine : machines)
        for (const int radix : {2, 3, 8}) {
            std::vector<int> lowest;
            for (const auto& node : machine)
                for (const int rank : node) {
                    lowest.resize(std::max(lowest.size(), static_cast<std::size_t>(rank) + 1));
                    lowest[static_cast<std::size_t>(rank)] = node.front();
                }
            const ranks_by_node nodes{lowest};
            std::vector<block_route> routes;
            for (int rank = 0; rank < static_cast<int>(lowest.size()); ++rank)
                routes.emplace_back(nodes, rank, radix);
            INFO(machine.size() << " nodes, radix " << radix);
            check_routes(routes);
            std::size_t between = 0, most = 0;
            for (const block_route& each : routes)
                for (const auto& now : each.rounds())
                    if (now.weight == 0) {
                        between += now.to.size();
                        most = std::max(most, now.to.size());
                    }
            CHECK(between == machine.size() * (machine.size() - 1));
            const auto smallest = std::ranges::min(machine, {}, [](const auto& node) { return node.size(); });
            CHECK(most <= (machine.size() + smallest.size() - 1) / smallest.size());
        }
}

} // namespace block_route_tests
