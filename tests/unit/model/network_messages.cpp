// SPDX-License-Identifier: BSL-1.0
// The models of real networks against numbers worked out by hand, and a tree against a simulation of its
// links.
#include <topomp/model/concurrent_tree_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/memory_costs.hpp>
#include <topomp/model/network_messages.hpp>
#include <topomp/model/usual_networks.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace network_messages_tests {

using namespace topo::model;

namespace {

constexpr double us = 1e-6;

/// 1 us for short messages, eight times as long for messages eight times as long from 512 bytes on.
network_messages made_up() {
    network_messages result;
    result.seconds = {1 * us, 2 * us, 16 * us, 128 * us, 1024 * us, 8192 * us, 65536 * us, 524288 * us};
    return result;
}

TEST_CASE("a message's time lies on the table, and on a power between its rows") {
    const network_messages network = made_up();
    CHECK(network.time(0) == doctest::Approx(1 * us));
    CHECK(network.time(64) == doctest::Approx(1 * us));
    CHECK(network.time(512) == doctest::Approx(2 * us));
    CHECK(network.time(1024) == doctest::Approx(4 * us));                // proportional to the length there
    CHECK(network.time(181.0193) == doctest::Approx(std::sqrt(2) * us)); // half-way between 64 and 512
    CHECK(network.time(268435456) == doctest::Approx(1048576 * us));
}

TEST_CASE("far ranks take longer, short messages by a share and long ones by a power of the distance") {
    network_messages network = made_up();
    network.far_latency = 0.5;
    network.far_exponent = 0.25;
    CHECK(network.cost(8, 1, 1).time == doctest::Approx(1 * us));
    CHECK(network.cost(8, 1, 4).time == doctest::Approx(1.375 * us));        // 1 + 0.5 (1 - 1 / 4)
    CHECK(network.cost(4096, 1, 16).time == doctest::Approx(31.46875 * us)); // 1 + 0.5 15 / 16 + 15 * 2
}

TEST_CASE("ranks of a node share its link and its message rate") {
    network_messages network = made_up();
    network.node_rate = 4096 / (10 * us);
    network.node_overhead = 0.1 * us;
    network.overhead = 0.5 * us;
    network.stream_rate = 4096 / (8 * us);
    CHECK(network.cost(4096).time == doctest::Approx(16 * us));      // one alone is slower than its node
    CHECK(network.cost(4096, 4).time == doctest::Approx(41.3 * us)); // 1 + 3 * 0.1 + 4 * 10
    CHECK(network.cost(0, 8).gap == doctest::Approx(0.8 * us));
    CHECK(network.cost(0).gap == doctest::Approx(0.5 * us));
    CHECK(network.cost(4096).gap == doctest::Approx(10 * us));
}

TEST_CASE("exchanges pass distances in nodes to models that know them") {
    network_messages network = made_up();
    network.far_latency = 1;
    const std::array<level_model<network_messages>, 2> levels{{{8, network}, {4, made_up()}}};
    const exchanges<network_messages> exchange{levels};
    CHECK(exchange.swap(8, 1) == doctest::Approx(1 * us));     // inside a node
    CHECK(exchange.swap(8, 4) == doctest::Approx(1 * us));     // to the next
    CHECK(exchange.swap(8, 16) == doctest::Approx(1.75 * us)); // four nodes away
    CHECK(exchange.shift(8, 31) == doctest::Approx(1 * us));   // backwards
    network_messages busy = made_up();
    busy.overhead = 3 * us;
    const std::array<level_model<network_messages>, 1> flat{{{8, busy}}};
    CHECK(exchanges<network_messages>{flat}.shift(8, 2, 5) == doctest::Approx((1 + 4 * 3) * us));
}

/// When all ranks have a message, found by sharing each sender's link in small steps of time.
double shared_links(const std::vector<std::vector<int>>& children, double latency, double transfer) {
    constexpr double step = 1e-3;
    std::vector<double> has(children.size(), std::numeric_limits<double>::infinity());
    std::vector<double> left(children.size(), transfer);
    has[0] = 0;
    double now = 0;
    for (std::size_t open = children.size() - 1; open > 0; now += step)
        for (std::size_t rank = 0; rank < children.size(); ++rank) {
            if (has[rank] > now) continue;
            std::size_t under_way = 0;
            for (const int child : children[rank])
                under_way += left[static_cast<std::size_t>(child)] > 0 ? 1 : 0;
            for (const int child : children[rank]) {
                auto& rest = left[static_cast<std::size_t>(child)];
                if (rest <= 0) continue;
                rest -= step / static_cast<double>(under_way);
                if (rest > 0) continue;
                has[static_cast<std::size_t>(child)] = now + latency;
                --open;
            }
        }
    return *std::max_element(has.begin(), has.end());
}

TEST_CASE("long messages of one rank share its link") {
    const std::vector<std::vector<int>> children{{1, 2, 4}, {3, 5}, {6}, {7}, {}, {}, {}, {}};
    const double latency = 0.5, transfer = 2;
    const double found = concurrent_tree_time(0, 0.1, 0, [&](int rank, auto send) {
        for (const int child : children[static_cast<std::size_t>(rank)])
            send(child, message_cost{transfer, latency + transfer, 0});
    });
    CHECK(found == doctest::Approx(13.5)); // 3, 2 and 1 transfers, each behind a latency
    CHECK(found == doctest::Approx(shared_links(children, latency, transfer)).epsilon(0.01));
}

TEST_CASE("short messages leave one after the other, and a parent combines all its children's") {
    const auto star = [](double shortest, double combine) {
        return concurrent_tree_time(0, shortest, combine, [](int rank, auto send) {
            for (int child = 1; rank == 0 && child < 5; ++child)
                send(child, message_cost{0.5, 2, 0});
        });
    };
    CHECK(star(0.5, 0) == doctest::Approx(2 + 3 * 0.5));
    CHECK(star(0.5, 1) == doctest::Approx(2 + 3 * 0.5 + 4));
}

TEST_CASE("scratch buffers cost from 32 MiB on, and ranks share the memory of their node") {
    memory_costs memory{1e-10, 2e-10, 4e-10};
    CHECK(memory.copy(1e6) == doctest::Approx(100 * us));
    CHECK(memory.combine(1e6) == doctest::Approx(200 * us));
    CHECK(memory.fresh(33554431) == 0);
    CHECK(memory.fresh(1e8) == doctest::Approx(0.04));
    memory.node_rate = 1e11;
    memory.ranks = 64;
    CHECK(memory.copy(1e6) == doctest::Approx(640 * us));
}

TEST_CASE("usual networks are found by name") {
    CHECK(find_usual_network("slingshot")->name == slingshot.name);
    CHECK(find_usual_network("token_ring") == nullptr);
    for (const usual_network& each : usual_networks) {
        CAPTURE(each.name);
        CHECK(std::is_sorted(each.messages.seconds.begin(), each.messages.seconds.end()));
        CHECK_FALSE(each.provenance.empty());
    }
    // A message of 1448 bytes has 1538 on the wire.
    CHECK(ethernet_10.messages.time(134217728) ==
          doctest::Approx(25e-6 + 134217728 * 8 / 1e10 * 1538 / 1448));
}

} // namespace

} // namespace network_messages_tests
