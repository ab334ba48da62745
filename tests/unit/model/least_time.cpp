// SPDX-License-Identifier: BSL-1.0
// Lower bounds: against numbers worked out by hand, and below what every model says that some algorithm
// takes.
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/flat_time.hpp>
#include <topomp/model/least_time.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace least_time_tests {

using namespace topo::model;
using topo::any_shape;

namespace {

constexpr double us = 1e-6;

/// A message of m bytes takes `latency` + m / `rate`, its sender is busy for m / `rate` and at least for
/// `gap`, and all ranks of a group together reach `group_rate`.
machine_parameters::level level_of(int members, double latency, double gap, double rate, double group_rate) {
    machine_parameters::level result{topo::kind::cluster, members, 0, {}};
    result.messages.single = plogp{latency, {{0, gap, gap, gap}, {1e6, gap, gap, gap + 1e6 / rate}}};
    result.messages.rates = {{1, rate}, {2, group_rate}};
    return result;
}

machine_parameters two_levels() {
    machine_parameters result;
    result.levels = {level_of(4, 3 * us, 1 * us, 1e9, 2e9), level_of(2, 1 * us, 1 * us, 4e9, 8e9)};
    return result;
}

} // namespace

TEST_CASE("bounds worked out by hand: four nodes of two ranks") {
    const least_times least{two_levels()};
    // A message takes 2 us inside a node and 4 us between nodes, and no rank sends more than one in 1 us:
    // were all inside, ranks would hear at 0, 2, 3, 4, 4, 5, 5, 5 us.
    CHECK(least.seconds("barrier", 0) == doctest::Approx(5 * us));
    CHECK(least.seconds("broadcast", 8).value() == doctest::Approx(5 * us));
    // A megabyte into each node at 2 GB/s, after the 4 us of any message; into a node's ranks it is faster.
    CHECK(least.seconds("broadcast", 1e6).value() == doctest::Approx(504 * us));
    CHECK(least.seconds("reduce", 1e6).value() == doctest::Approx(504 * us));
    // Of the sums of eight ranks, a node's two receive 2 * 6/8 of the message.
    CHECK(least.seconds("all_reduce", 1e6).value() == doctest::Approx(754 * us));
    CHECK(least.seconds("gather", 1e6).value() == doctest::Approx(3004 * us));
    CHECK(least.seconds("scatter", 1e6).value() == doctest::Approx(3004 * us));
    CHECK(least.seconds("all_gather", 1e6).value() == doctest::Approx(3004 * us));
    CHECK(least.seconds("reduce_scatter", 1e6).value() == doctest::Approx(3004 * us));
    CHECK(least.seconds("all_to_all", 1e6).value() == doctest::Approx(6004 * us));
    CHECK_FALSE(least.seconds("scan", 8));
}

TEST_CASE("a node's ways to near and to far nodes may be one link, or two") {
    machine_parameters machine = two_levels();
    machine.levels.insert(machine.levels.begin(), level_of(4, 3 * us, 1 * us, 1e9, 3e9));
    machine.levels[1].members = 2;
    // Into one of eight nodes 14 blocks come from other switches and from its own, at 3 and 2 GB/s; behind
    // the switch 12 of them come at 3 GB/s.
    CHECK(least_times{machine}.seconds("gather", 1e6).value() == doctest::Approx(4004 * us));
    machine.levels[1].outside_rate = 2.5e9; // as was measured of a node's ranks, sending to all others
    CHECK(least_times{machine}.seconds("gather", 1e6).value() == doctest::Approx(5604 * us));
    machine.levels[1].outside_rate = 1e9; // what one level reaches, all reach
    CHECK(least_times{machine}.seconds("gather", 1e6).value() == doctest::Approx(7004 * us));
}

TEST_CASE("a rank copies what it receives, and one rank alone does not wait") {
    machine_parameters machine = two_levels();
    machine.copies = {{1e3, 5e8}, {1e6, 2e8}};
    const least_times least{machine};
    CHECK(least.seconds("broadcast", 1e6).value() == doctest::Approx(2000 * us));
    CHECK(least.seconds("all_gather", 1e6).value() == doctest::Approx(14000 * us));

    machine.levels = {level_of(1, 3 * us, 1 * us, 1e9, 2e9)};
    CHECK(least_times{machine}.seconds("barrier", 0) == 0);
    CHECK(least_times{machine}.seconds("all_to_all", 1e6) == 0);
    machine.levels.clear();
    CHECK(least_times{machine}.seconds("broadcast", 1e6) == 0);
}

TEST_CASE("no model of an algorithm is below a bound") {
    std::mt19937 random{7};
    const auto some = [&](double least, double most) {
        return std::exp(std::uniform_real_distribution{std::log(least), std::log(most)}(random));
    };
    const auto choice = [&](int least, int most) {
        return std::uniform_int_distribution{least, most}(random);
    };
    const std::vector<any_shape> shapes{any_shape::of<topo::linear>(), any_shape::of<topo::chain>(),
                                        any_shape::of<topo::binary>(), any_shape::of<topo::binomial>(),
                                        any_shape::of<topo::k_nomial<4>>()};
    for (int turn = 0; turn < 300; ++turn) {
        machine_parameters machine;
        for (int depth = choice(1, 3); depth > 0; --depth) {
            const double rate = some(1e8, 1e10);
            machine.levels.push_back(
                level_of(choice(1, 6), some(1e-7, 1e-5), some(1e-7, 2e-6), rate, rate * some(1, 8)));
        }
        const auto levels = machine.models();
        const auto all = std::span<const level_model<measured_messages>>{levels};
        const least_times least{machine};
        const exchanges<measured_messages> exchange{all};
        const double bytes = some(1, 1e7);
        CAPTURE(turn);
        CAPTURE(bytes);
        const auto check = [&](const std::string& verb, double seconds) {
            CAPTURE(verb);
            CHECK(least.seconds(verb, bytes).value() <= seconds * (1 + 1e-9));
        };
        for (const any_shape& shape : shapes) {
            const auto costs = costs_of(all, bytes);
            check("broadcast", broadcast_time({&shape, 1}, costs));
            check("reduce", hierarchical_time({&shape, 1}, costs));
            check("broadcast", flat_tree<measured_messages>{all}.time(shape, bytes));
            const double piece = bytes / 8;
            check("broadcast", broadcast_time({&shape, 1}, costs_of(all, piece), 8));
            check("barrier", 2 * broadcast_time({&shape, 1}, costs_of(all, 0)));
        }
        check("barrier", exchange.dissemination_barrier());
        check("all_reduce", exchange.ring_all_reduce(bytes));
        check("all_reduce", exchange.recursive_doubling_all_reduce(bytes));
        check("all_reduce", exchange.rabenseifner_all_reduce(bytes));
        check("all_gather", exchange.ring_all_gather(bytes));
        check("all_gather", exchange.bruck_all_gather(bytes));
        check("all_to_all", exchange.pairwise_all_to_all(bytes));
        check("all_to_all", exchange.bruck_all_to_all(bytes));
        check("reduce_scatter", exchange.ring_reduce_scatter(bytes));
        // Where not all ranks double, these two models count no block of the others but at the ends.
        if (std::has_single_bit(static_cast<unsigned long long>(ranks_of(all)))) {
            check("all_gather", exchange.recursive_doubling_all_gather(bytes));
            check("reduce_scatter", exchange.recursive_halving_reduce_scatter(bytes));
        }
    }
}

} // namespace least_time_tests
