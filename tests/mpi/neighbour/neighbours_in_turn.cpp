// SPDX-License-Identifier: BSL-1.0
// All neighbour verbs in any order on one neighbourhood, with lengths that change from call to call, between
// ranks that are late in turn: memory that an exchange uses again must have been read by then.
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace neighbours_in_turn_tests {

namespace {

/// From, to, and which of the links between the two it is.
struct link {
    int from, to, number;
};

/// The links of all ranks, the same on each: with some from ranks to themselves and some that are there
/// twice. Every fourth rank only receives, so that others can get ahead of it, and another one only sends.
std::vector<link> drawn_links(topo_test::dice& roll, int ranks) {
    std::vector<link> all;
    for (int i = 4 * ranks; i > 0; --i) {
        const int from = roll.up_to(ranks - 1), to = roll.up_to(ranks - 1);
        if (from % 4 == 3 || to % 4 == 1) continue;
        const int copies = roll.one_in(4) ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
            int number = 0;
            for (const link& each : all)
                number += each.from == from && each.to == to ? 1 : 0;
            all.push_back({from, to, number});
        }
    }
    return all;
}

/// What a call sends along a link, which both ends compute.
struct call {
    int round = 0;
    bool is_same = false, has_counts = false;
    std::size_t count = 0;

    std::size_t length(const link& along) const {
        if (!has_counts) return count;
        // Around the lengths from which on blocks are messages: 4096 and 16384 bytes.
        constexpr std::array<std::size_t, 7> lengths{0, 1, 30, 1024, 1025, 4096, 4097};
        const int which = along.from * 3 + round + (is_same ? 0 : along.to + along.number);
        return lengths[static_cast<std::size_t>(which) % lengths.size()];
    }
    std::uint32_t value(const link& along, std::size_t i) const {
        auto result = static_cast<std::uint32_t>(round * 31 + along.from) * 2654435761U;
        if (!is_same) result += static_cast<std::uint32_t>(along.to * 64 + along.number) * 40503U;
        return result + static_cast<std::uint32_t>(i);
    }
    std::vector<std::uint32_t> blocks(const std::vector<link>& links) const {
        std::vector<std::uint32_t> result;
        for (const link& each : links)
            for (std::size_t i = 0; i < length(each); ++i)
                result.push_back(value(each, i));
        return result;
    }
    std::vector<int> counts(const std::vector<link>& links) const {
        std::vector<int> result;
        for (const link& each : links)
            result.push_back(static_cast<int>(length(each)));
        return result;
    }
};

void run(const topo::neighbourhood& where, const call& now, const std::vector<link>& out,
         const std::vector<link>& in) {
    const int rank = where.comm().rank();
    const auto expected = now.blocks(in), sent = now.blocks(out), own = now.blocks({{rank, rank, 0}});
    std::vector<std::uint32_t> result(expected.size(), ~std::uint32_t{0});
    if (now.is_same && now.has_counts)
        topo::neighbour_all_gatherv(where, own, result, now.counts(in));
    else if (now.is_same)
        topo::neighbour_all_gather(where, own, result);
    else if (now.has_counts)
        topo::neighbour_all_to_allv(where, sent, now.counts(out), result, now.counts(in));
    else
        topo::neighbour_all_to_all(where, sent, result);
    CHECK(result == expected);
}

} // namespace

TEST_CASE("verbs and lengths in any order, between ranks that are late in turn") {
    const boost::mpi::communicator world;
    topo_test::dice roll{77};
    const auto machines = topo_test::few_scenarios_of_many(world.size());
    for (std::size_t machine = 0; machine < machines.size(); machine += topo_test::stride) {
        INFO(machines[machine].name);
        const topo::hierarchy levels{world, machines[machine].on, machines[machine].rule};
        std::vector<link> out, in;
        std::vector<int> sources, destinations;
        for (const link& each : drawn_links(roll, world.size())) {
            if (each.from == world.rank()) {
                out.push_back(each);
                destinations.push_back(each.to);
            }
            if (each.to == world.rank()) {
                in.push_back(each);
                sources.push_back(each.from);
            }
        }
        const topo::neighbourhood planned{levels, sources, destinations},
            by_node{levels, sources, destinations, topo::neighbour_route::by_node};
        const int rounds = topo_test::is_watched ? 20 : 60;
        for (int round = 0; round < rounds; ++round) {
            call now{round, roll.one_in(2), roll.one_in(3), 0};
            constexpr std::array<std::size_t, 6> counts{0, 1, 17, 300, 1030, 4200};
            now.count = counts[static_cast<std::size_t>(roll.up_to(5))];
            [[maybe_unused]] const int late = roll.up_to(world.size() - 1);
            const bool is_planned = roll.one_in(2);
            CAPTURE(round);
#ifndef SMPI_H // whose ranks are one process
            if (late == world.rank()) std::this_thread::sleep_for(std::chrono::microseconds{500});
#endif
            run(is_planned ? planned : by_node, now, out, in);
        }
    }
}

} // namespace neighbours_in_turn_tests
