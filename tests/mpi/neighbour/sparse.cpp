// SPDX-License-Identifier: BSL-1.0
// Sparse exchanges by every route on made-up machines: everything arrives once, with its source.
#include "support/check_fails.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/isparse_exchange.hpp>
#include <topomp/neighbour/sparse_exchange.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <sched.h>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparse_tests {

using boost::mpi::communicator;
using topo::neighbour_route;

namespace {

/// What each rank sends, known to the test everywhere: source, destination, length.
std::map<std::pair<int, int>, int> drawn(std::uint32_t seed, int ranks) {
    topo_test::dice roll{seed};
    std::map<std::pair<int, int>, int> result;
    for (int i = roll.up_to(3 * ranks); i > 0; --i) {
        const int from = roll.up_to(ranks - 1), to = roll.one_in(3) ? 0 : roll.up_to(ranks - 1);
        result[{from, to}] = roll.one_in(4) ? 0 : roll.up_to(roll.one_in(8) ? 3000 : 9);
    }
    return result;
}

/// A value of each type for a link, and what a rank sends and gets.
template <class V>
struct made;
template <>
struct made<std::vector<double>> {
    static std::vector<double> of(int from, int to, int length) {
        return std::vector<double>(static_cast<std::size_t>(length), from + to / 8.0);
    }
};
template <>
struct made<int> {
    static int of(int from, int to, int length) { return from * 10000 + to * 100 + length % 100; }
};
template <>
struct made<std::vector<std::string>> {
    static std::vector<std::string> of(int from, int to, int length) {
        return {std::to_string(from),
                std::string(static_cast<std::size_t>(length), static_cast<char>('a' + to))};
    }
};

template <class V>
struct values {
    std::map<int, V> sent, expected;

    values(int rank, const std::map<std::pair<int, int>, int>& all) {
        for (const auto& [ends, length] : all) {
            if (ends.first == rank) sent[ends.second] = made<V>::of(ends.first, ends.second, length);
            if (ends.second == rank) expected[ends.first] = made<V>::of(ends.first, ends.second, length);
        }
    }
};

template <class V>
void check(const topo::hierarchy& levels, const std::map<std::pair<int, int>, int>& all,
           neighbour_route route) {
    const values<V> own{levels.whole().rank(), all};
    CHECK(topo::sparse_exchange(levels, own.sent, route) == own.expected);
}

} // namespace

TEST_CASE("everything arrives once, on made-up machines") {
    const communicator world;
    std::uint32_t seed = 0;
    for (const auto& machine : topo_test::some_scenarios(world.size())) {
        INFO(machine.name);
        const topo::hierarchy levels{world, machine.on, machine.rule};
        for (const auto route : {neighbour_route::direct, neighbour_route::by_node, neighbour_route::best}) {
            CAPTURE(static_cast<int>(route));
            const auto links = drawn(++seed, world.size());
            check<std::vector<double>>(levels, links, route);
            check<int>(levels, links, route);
            check<std::vector<std::string>>(levels, links, route);
        }
        check<int>(levels, {}, neighbour_route::best);
    }
}

TEST_CASE("several under way, which ranks wait for in other orders") {
    const communicator world;
    std::uint32_t seed = 1000;
    for (const auto& machine : topo_test::some_scenarios(world.size())) {
        INFO(machine.name);
        const topo::hierarchy levels{world, machine.on, machine.rule};
        const int rank = world.rank(), size = world.size();
        const auto links = [&] { return drawn(++seed, size); };
        values<std::vector<double>> first{rank, links()};
        const values<int> second{rank, links()}, between{rank, links()};
        const values<std::vector<std::string>> third{rank, links()};
        std::map<int, std::vector<double>> of_first;
        std::map<int, int> of_second{{size, 1}}; // which goes
        std::map<int, std::vector<std::string>> of_third;
        int sum = 0;
        std::vector<topo::request> started;
        started.push_back(topo::isparse_exchange(levels, first.sent, of_first, neighbour_route::by_node));
        first.sent.clear();
        started.push_back(topo::iall_reduce(levels, rank, sum, std::plus<>{}));
        started.push_back(topo::isparse_exchange(levels, second.sent, of_second, neighbour_route::direct));
        started.push_back(topo::isparse_exchange(levels, third.sent, of_third));
        if (rank % 3 == 1) started[2].wait();
        CHECK(topo::sparse_exchange(levels, between.sent) == between.expected);
        if (rank % 2 == 0) std::ranges::reverse(started);
        for (topo::request& each : started)
            each.wait();
        CHECK(sum == size * (size - 1) / 2);
        CHECK(of_first == first.expected);
        CHECK(of_second == second.expected);
        CHECK(of_third == third.expected);
    }
}

TEST_CASE("one goes on while its rank looks now and then") {
    const communicator world;
    const topo::hierarchy levels{world};
    const values<int> own{world.rank(), drawn(7, world.size())};
    std::map<int, int> result;
    topo::request started = topo::isparse_exchange(levels, own.sent, result);
    while (!started.test())
        sched_yield();
    CHECK(result == own.expected);
}

TEST_CASE("what ends without a wait is complete") {
    const communicator world;
    const values<int> own{world.rank(), drawn(8, world.size())};
    std::map<int, int> result;
    {
        const topo::hierarchy levels{world};
        const topo::request started = topo::isparse_exchange(levels, own.sent, result);
    }
    CHECK(result == own.expected);
}

/// Refuses to be sent, if it is told to.
struct unwilling {
    bool refuses = false;
    std::string text;
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        if (refuses) throw std::runtime_error("not this one");
        archive& text;
    }
    friend bool operator==(const unwilling&, const unwilling&) = default;
};

TEST_CASE("values that throw when they are sent are refused on every rank, and nothing else is") {
    const communicator world;
    const topo::hierarchy levels{world};
    const int last = world.size() - 1;
    std::map<int, unwilling> sent{{0, {world.rank() == last, "text"}}}, result;
    topo::request started = topo::isparse_exchange(levels, sent, result);
    if (world.rank() == last) {
        CHECK_THROWS_WITH_AS(started.wait(), "not this one", std::runtime_error);
    } else {
        topo_test::check_fails<topo::argument_error>(
            [&] { started.wait(); },
            {"topo::isparse_exchange: values: they could not be serialized (on rank " + std::to_string(last) +
             ')'});
    }
    sent[0].refuses = false;
    CHECK(topo::sparse_exchange(levels, sent).size() == (world.rank() == 0 ? std::size_t(world.size()) : 0U));
}

TEST_CASE("a destination that is no rank is refused on every rank") {
    const topo::hierarchy levels{communicator{}};
    const std::map<int, int> sent{{levels.whole().rank() == 0 ? -1 : 0, 1}};
    topo_test::check_fails<topo::argument_error>([&] { topo::sparse_exchange(levels, sent); },
                                                 {"topo::sparse_exchange", "destination -1"});
    std::map<int, int> result{{5, 5}};
    topo::request started = topo::isparse_exchange(levels, sent, result);
    topo::request behind = topo::isparse_exchange(levels, std::map<int, int>{}, result);
    topo_test::check_fails<topo::argument_error>([&] { started.wait(); },
                                                 {"topo::isparse_exchange", "destination -1"});
    behind.wait();
    CHECK(result.empty());
    const std::map<std::uint64_t, int> wide{{std::uint64_t{1} << 32U, 1}};
    topo_test::check_fails<topo::argument_error>([&] { topo::sparse_exchange(levels, wide); },
                                                 {"topo::sparse_exchange", "destination -1"});
}

TEST_CASE("values of another type on one rank") {
    const communicator world;
    const topo::hierarchy levels{world};
    const int last = world.size() - 1;
    if (last == 0) return;
    const auto both = [&](auto of_first, auto of_last) {
        if (world.rank() == last) {
            const std::map<int, decltype(of_last)> sent{{0, of_last}};
            topo::sparse_exchange(levels, sent);
        } else if (world.rank() == 0) {
            const std::map<int, decltype(of_first)> none;
            topo_test::check_fails<topo::argument_error>(
                [&] { topo::sparse_exchange(levels, none); },
                {"topo::sparse_exchange: data from rank " + std::to_string(last),
                 "1 byte, but values here have 8"});
        } else {
            topo::sparse_exchange(levels, std::map<int, decltype(of_first)>{});
        }
    };
    both(double{}, char{});
    both(std::vector<double>{}, std::vector<char>(1));
}

// What would arrive as an address of another process, at a rounded rank, or in part.
template <class M>
concept is_sent = requires(const topo::hierarchy& levels, const M& map) {
    topo::sparse_exchange(levels, map);
};
static_assert(is_sent<std::map<unsigned char, std::array<int, 2>>> &&
              is_sent<std::unordered_map<long, std::string>>);
static_assert(!is_sent<std::map<int, const char*>> && !is_sent<std::map<int, std::span<const int>>> &&
              !is_sent<std::map<int, std::string_view>> && !is_sent<std::map<int, std::vector<int*>>> &&
              !is_sent<std::map<int, std::array<const char*, 2>>> &&
              !is_sent<std::map<int, std::vector<std::vector<std::span<int>>>>>);
static_assert(!is_sent<std::map<double, int>> && !is_sent<std::multimap<int, int>>);

template <class M, class Result>
concept is_sent_meanwhile = requires(const topo::hierarchy& levels, const M& map, Result result) {
    topo::isparse_exchange(levels, map, result);
};
static_assert(is_sent_meanwhile<std::unordered_map<long, int>, std::map<int, int>&>);
static_assert(!is_sent_meanwhile<std::map<int, int>, std::map<int, long>&> &&
              !is_sent_meanwhile<std::map<int, int>, const std::map<int, int>&> &&
              !is_sent_meanwhile<std::vector<int>, std::map<int, int>&> &&
              !is_sent_meanwhile<std::map<int, int*>, std::map<int, int*>&>);

TEST_CASE("blocks that together are longer than a message can be do not go by node") {
    const communicator world;
    if (world.size() < 32) return; // a block would be too long for the memory of a test
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:20"),
                                 topo::placement::core_by_core()};
    // Each rank of a node might have one of these for the other node.
    const std::size_t length = std::numeric_limits<int>::max() / std::size_t{20} + 1;
    const int last = world.size() - 1;
    std::map<int, std::vector<char>> sent;
    if (world.rank() == 0) sent[last].assign(length, 'a');
    topo_test::check_fails<topo::argument_error>(
        [&] { topo::sparse_exchange(levels, sent, neighbour_route::by_node); },
        {"topo::sparse_exchange", "route by_node", "more than INT_MAX"});
    CHECK(topo::sparse_exchange(levels, sent).size() == (world.rank() == last ? 1U : 0U));
    // A rank might get one of these from each, but gets one.
    if (world.rank() == 0) sent[last].resize(length / 2 + 1);
    const auto arrived = topo::sparse_exchange(levels, sent, neighbour_route::by_node);
    CHECK(arrived.size() == (world.rank() == last ? 1U : 0U));
    if (world.rank() == last) CHECK(arrived.at(0).size() == length / 2 + 1);
}

} // namespace sparse_tests
