// SPDX-License-Identifier: BSL-1.0
// broadcast, reduce, all_reduce and barrier, by every policy, on every machine, from every root: as a serial
// loop would do it.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/verb_checks.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace tree_verbs_tests {

using topo_test::call;
using topo_test::check_all_reduce;
using topo_test::complaints;
using topo_test::counts;
using topo_test::number;
using topo_test::verbs;

namespace {

/// Every verb by every policy, of all combinations each so manieth. @param calls so many before
/// @collective over `comm`
void check_machine(const boost::mpi::communicator& comm, const topo_test::scenario& each, std::size_t step,
                   number& calls) {
    const topo::hierarchy levels{comm, each.on, each.rule};
    for (const verbs& by : topo_test::all_policies()) {
        complaints wrong;
        for (const std::size_t count : counts) {
            for (const int root : topo_test::roots(comm.size())) {
                const call now{levels, by, root, count, ++calls, wrong};
                if (calls % step != 0) continue;
                check_broadcast(now);
                if (calls / step % 2 == 0)
                    check_reduce(now);
                else
                    check_reduce_in_place(now);
            }
            if (++calls % step < 2) check_all_reduce({levels, by, 0, count, calls, wrong});
        }
        INFO(each.name << ", " << comm.size() << " ranks: " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

} // namespace

TEST_CASE("verbs by every policy, on every machine, from every root") {
    const boost::mpi::communicator world;
    for (const auto& comm : topo_test::communicators(world)) {
        number calls = 0; // of this communicator's ranks, so that all choose the same sample
        for (const auto& each : topo_test::scenarios(comm.size()))
            check_machine(comm, each, topo_test::sampling(world), calls);
    }
}

TEST_CASE("verbs on random machines with ranks bound anywhere") {
    const boost::mpi::communicator world;
    const auto policies = topo_test::all_policies();
    for (std::uint32_t seed = 100; seed < 124;
         seed += 1 + static_cast<std::uint32_t>(topo_test::sampling(world)) / 4) {
        const auto each = topo_test::random_scenario(seed, world.size());
        const topo::hierarchy levels{world, each.on, each.rule, topo_test::random_options(seed)};
        complaints wrong;
        for (std::size_t i = 0; i < policies.size(); ++i) {
            const int root = static_cast<int>((seed + 5 * i) % static_cast<std::size_t>(world.size()));
            const call now{levels, policies[i], root, counts[i % counts.size()], seed * 100 + i, wrong};
            check_broadcast(now);
            check_reduce(now);
            check_all_reduce(now);
        }
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

TEST_CASE("messages longer than the tuned segments") {
    const boost::mpi::communicator world;
    const std::size_t count = (world.size() > 16 ? 2 : 6) * 32768 / sizeof(number) + 5;
    const int last = world.size() - 1;
    const std::vector some{topo_test::verbs_by<topo::automatic>("automatic"),
                           topo_test::verbs_by<topo::native>("native"),
                           topo_test::verbs_by<topo::binomial>("binomial"),
                           topo_test::verbs_by<topo::segmented<16384, topo::chain>>("pipeline")};
    const auto all = topo_test::scenarios(world.size());
    number calls = 0;
    for (std::size_t i = 0; i < all.size(); i += 1 + topo_test::sampling(world) / 2) {
        const auto& each = all[i];
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        complaints wrong;
        for (const verbs& by : some) {
            const call now{levels, by, last, count, ++calls, wrong};
            check_broadcast(now);
            check_reduce(now);
            check_reduce_in_place(now);
            check_all_reduce(now);
        }
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

TEST_CASE("no rank leaves a barrier before the last has called") {
    // All ranks of the test run under one kernel, so they share its clock.
    using clock = std::chrono::steady_clock;
    const boost::mpi::communicator world;
    const auto ticks = [] { return static_cast<std::int64_t>(clock::now().time_since_epoch().count()); };
    const auto all = topo_test::scenarios(world.size());
    for (std::size_t i = 0; i < all.size(); i += 1 + topo_test::sampling(world) / 2) {
        const auto& each = all[i];
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        complaints wrong;
        for (const verbs& by : topo_test::barrier_policies()) {
            by.barrier(levels);
            for (const int late : {0, world.size() / 2, world.size() - 1}) {
                if (world.rank() == late) std::this_thread::sleep_for(std::chrono::microseconds{500});
                const std::int64_t came = ticks();
                by.barrier(levels);
                const std::int64_t left = ticks();
                std::int64_t last_came = 0, first_left = 0;
                MPI_Allreduce(&came, &last_came, 1, MPI_INT64_T, MPI_MAX, world);
                MPI_Allreduce(&left, &first_left, 1, MPI_INT64_T, MPI_MIN, world);
                wrong.expect(last_came <= first_left, "barrier by " + by.name);
            }
        }
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

namespace {

/// Numbers of very different size, whose sum depends on the order of the additions.
double summand(int rank, std::size_t index) {
    const double fraction = 1.0 + 1.0 / (3.0 + rank + 7.0 * static_cast<double>(index));
    return (rank % 2 == 0 ? fraction : -fraction) * static_cast<double>(1ULL << (rank * 5 % 53));
}

constexpr std::size_t summands = 41;

/// The bits of reduce's and all_reduce's sums; ranks come late in another order each time. Where there is no
/// result, zeros.
std::vector<std::uint64_t> sums_again(const topo::hierarchy& levels, const verbs& by, int time) {
    const auto& world = levels.whole();
    std::vector<double> mine(summands), sum(2 * summands, 0.0);
    for (std::size_t i = 0; i < summands; ++i)
        mine[i] = summand(world.rank(), i);
    std::this_thread::sleep_for(std::chrono::microseconds{(world.rank() * 5 + time * 3) % 7 * 40});
    by.reduce(levels, mine.data(), {sum.data(), summands, MPI_DOUBLE}, MPI_SUM, world.size() - 1);
    std::this_thread::sleep_for(std::chrono::microseconds{(world.rank() * 3 + time * 5) % 7 * 40});
    by.all_reduce(levels, mine.data(), {sum.data() + summands, summands, MPI_DOUBLE}, MPI_SUM);
    std::vector<std::uint64_t> bits;
    for (const double each_sum : sum)
        bits.push_back(std::bit_cast<std::uint64_t>(each_sum));
    return bits;
}

bool are_same_on_all_ranks(const boost::mpi::communicator& world, std::vector<std::uint64_t> bits) {
    auto lowest = bits, highest = bits;
    const int count = static_cast<int>(bits.size());
    MPI_Allreduce(bits.data(), lowest.data(), count, MPI_UINT64_T, MPI_MIN, world);
    MPI_Allreduce(bits.data(), highest.data(), count, MPI_UINT64_T, MPI_MAX, world);
    return lowest == highest;
}

} // namespace

TEST_CASE("floating-point sums have the same bits again, and on all ranks") {
    const boost::mpi::communicator world;
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{9}}) {
        if (topo_test::sampling(world) > 1 && chosen != 3) continue;
        for (const verbs& by : topo_test::all_policies()) {
            INFO(all[chosen].name << ", " << by.name);
            std::vector<std::uint64_t> first;
            for (const int on_fresh_communicators : {0, 1}) {
                const topo::hierarchy levels{world, all[chosen].on, all[chosen].rule};
                for (int call = 0; call < (world.size() > 16 ? 1 : 2); ++call) {
                    const auto bits = sums_again(levels, by, 2 * on_fresh_communicators + call);
                    if (first.empty()) first = bits;
                    CHECK(bits == first);
                }
            }
            CHECK(are_same_on_all_ranks(
                world, {first.begin() + static_cast<std::ptrdiff_t>(summands), first.end()}));
        }
    }
}

TEST_CASE("the numbers summed tell another order by their bits") {
    // Else the case above could not fail.
    double forwards = 0, backwards = 0;
    bool differ = false;
    for (std::size_t i = 0; i < summands; ++i) {
        forwards = backwards = 0;
        for (int rank = 0; rank < 8; ++rank) {
            forwards += summand(rank, i);
            backwards += summand(7 - rank, i);
        }
        differ = differ || std::bit_cast<std::uint64_t>(forwards) != std::bit_cast<std::uint64_t>(backwards);
    }
    CHECK(differ);
}

} // namespace tree_verbs_tests
