// SPDX-License-Identifier: BSL-1.0
// Exchanges with neighbours that do not wait: several at a time by every route, waited for in another order
// on each rank, prepared once and started again, short blocks and blocks longer than a first part.
#include "support/made_up.hpp"
#include <topomp/collective/wait.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/ineighbour_all_gather.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_gather_init.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace neighbours_in_background_tests {

namespace {

using numbers = std::vector<int>;

/// Each rank sends to those so far behind it; in small machines twice to some, and to itself.
const std::vector<int> offsets{1, 3, 7, 2};

int value(int round, int sender, std::size_t link, std::size_t i) {
    return 100000 * round + 1000 * sender + 100 * static_cast<int>(link) + static_cast<int>(i % 97);
}
/// Lengths of the blocks along links: none, short, and longer than a message's first part.
std::size_t length(int sender, std::size_t link) {
    const auto mixed = (static_cast<std::size_t>(sender) + 3 * link) % 5;
    return mixed == 4 ? 2500 : mixed;
}

struct exchange {
    const topo::neighbourhood& where;
    int rank = where.comm().rank(), size = where.comm().size();
    numbers out = numbers(3 * offsets.size()), in = out, mine = numbers(5),
            gathered = numbers(5 * offsets.size());
    numbers counts, in_counts, unequal, in_unequal, own = numbers(length(rank, 1)), own_counts, all_own;

    explicit exchange(const topo::neighbourhood& links) : where(links) {
        std::size_t sent = 0, coming = 0, own_coming = 0;
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            counts.push_back(static_cast<int>(length(rank, k)));
            in_counts.push_back(static_cast<int>(length(sender(k), k)));
            own_counts.push_back(static_cast<int>(length(sender(k), 1)));
            sent += length(rank, k);
            coming += length(sender(k), k);
            own_coming += length(sender(k), 1);
        }
        unequal.resize(sent);
        in_unequal.resize(coming);
        all_own.resize(own_coming);
    }

    int sender(std::size_t link) const { return (rank + 10 * size - offsets[link]) % size; }

    void fill(int round) {
        std::size_t next = 0;
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            for (std::size_t i = 0; i < 3; ++i)
                out[3 * k + i] = value(round, rank, k, i);
            for (std::size_t i = 0; i < length(rank, k); ++i)
                unequal[next++] = value(round, rank, k, i);
        }
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = value(round, rank, 8, i);
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = value(round, rank, 9, i);
        for (numbers* each : {&in, &gathered, &in_unequal, &all_own})
            std::fill(each->begin(), each->end(), -1);
    }

    std::vector<topo::request> start() {
        std::vector<topo::request> all;
        all.push_back(topo::ineighbour_all_to_all(where, out, in));
        all.push_back(topo::ineighbour_all_to_allv(where, unequal, counts, in_unequal, in_counts));
        all.push_back(topo::ineighbour_all_gather(where, mine, gathered));
        all.push_back(topo::ineighbour_all_gatherv(where, own, all_own, own_counts));
        return all;
    }
    std::vector<topo::persistent> prepare() {
        std::vector<topo::persistent> all;
        all.push_back(topo::neighbour_all_to_all_init(where, out, in));
        all.push_back(topo::neighbour_all_to_allv_init(where, unequal, counts, in_unequal, in_counts));
        all.push_back(topo::neighbour_all_gather_init(where, mine, gathered));
        all.push_back(topo::neighbour_all_gatherv_init(where, own, all_own, own_counts));
        return all;
    }

    void check(int round) const {
        numbers blocks, unequal_blocks, all, all_unequal;
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            for (std::size_t i = 0; i < 3; ++i)
                blocks.push_back(value(round, sender(k), k, i));
            for (std::size_t i = 0; i < length(sender(k), k); ++i)
                unequal_blocks.push_back(value(round, sender(k), k, i));
            for (std::size_t i = 0; i < 5; ++i)
                all.push_back(value(round, sender(k), 8, i));
            for (std::size_t i = 0; i < length(sender(k), 1); ++i)
                all_unequal.push_back(value(round, sender(k), 9, i));
        }
        CHECK(in == blocks);
        CHECK(in_unequal == unequal_blocks);
        CHECK(gathered == all);
        CHECK(all_own == all_unequal);
    }
};

template <class Waitable>
void wait_in_own_order(std::vector<Waitable>& all, int rank) {
    std::vector<Waitable*> in_order;
    for (auto& each : all)
        in_order.push_back(&each);
    std::shuffle(in_order.begin(), in_order.end(), std::mt19937{static_cast<unsigned>(rank + 1)});
    for (auto* each : in_order)
        each->wait();
}

} // namespace

TEST_CASE("exchanges with neighbours that do not wait, by every route") {
    const boost::mpi::communicator world;
    numbers sources, destinations;
    for (const int offset : offsets) {
        destinations.push_back((world.rank() + offset) % world.size());
        sources.push_back((world.rank() + 10 * world.size() - offset) % world.size());
    }
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        for (const auto route :
             {topo::neighbour_route::best, topo::neighbour_route::direct, topo::neighbour_route::by_node}) {
            const topo::neighbourhood where{levels, sources, destinations, route};
            exchange first{where}, second{where};
            first.fill(1);
            second.fill(2);
            auto all = first.start();
            for (auto& request : second.start())
                all.push_back(std::move(request));
            wait_in_own_order(all, world.rank());
            first.check(1);
            second.check(2);
            auto prepared = first.prepare(), others = second.prepare();
            for (int round = 3; round < 6; ++round) {
                first.fill(round);
                second.fill(round + 10);
                for (std::size_t i = 0; i < prepared.size(); ++i) {
                    prepared[i].start();
                    others[i].start();
                }
                wait_in_own_order(others, world.rank());
                topo::wait_all(prepared);
                first.check(round);
                second.check(round + 10);
            }
            prepared.front().start();
            CHECK_THROWS_WITH_AS(prepared.front().start(),
                                 doctest::Contains("topo::neighbour_all_to_all_init"), topo::usage_error);
            prepared.front().wait();
        }
    }
}

TEST_CASE("a value of each rank, waited for or not") {
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    const int before = (rank + size - 1) % size, behind = (rank + 1) % size;
    const topo::hierarchy levels{world};
    const topo::neighbourhood ring{levels, {before, behind}, {behind, before}};
    int mine = 10 * rank;
    numbers in(2, -1);
    topo::neighbour_all_gather(ring, mine, in);
    CHECK(in == numbers{10 * before, 10 * behind});
    ++mine;
    topo::ineighbour_all_gather(ring, mine, in).wait();
    CHECK(in == numbers{10 * before + 1, 10 * behind + 1});
    auto step = topo::neighbour_all_gather_init(ring, mine, in);
    ++mine;
    step.start();
    step.wait();
    CHECK(in == numbers{10 * before + 2, 10 * behind + 2});
}

} // namespace neighbours_in_background_tests
