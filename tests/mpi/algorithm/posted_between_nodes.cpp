// SPDX-License-Identifier: BSL-1.0
// Persistent all_reduces and barriers that exchange between nodes as the blocking form does: by each plan,
// and in a simulation no later.
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include "support/prepared_sums.hpp"
#include "support/through_nodes.hpp"
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/shared/posted_lanes.hpp>
#include <topomp/algorithm/shared/posted_multi_object.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/barrier_init.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace posted_between_nodes_tests {

namespace {

using numbers = std::vector<int>;
using topo::detail::algorithm;
using topo_test::through_nodes;

const std::array plans{&through_nodes<topo::multi_object>, &through_nodes<topo::rounds_in_lanes<4>>,
                       &through_nodes<topo::rounds_in_lanes<16, 128>>,
                       &through_nodes<topo::rounds_in_level<2>>};

topo::detail::all_reduce_arguments sum_of(numbers& mine, numbers& sums) {
    return {mine.data(), topo::message{sums.data(), sums.size(), MPI_INT}, {MPI_SUM, true}};
}

topo::persistent prepare(const topo::hierarchy& levels, const topo::plan& by, numbers& mine, numbers& sums) {
    topo::detail::choose_automatically(topo::detail::verb::all_reduce, levels, 8, true); // as the call does
    return topo::detail::begin<algorithm::any, topo::detail::when_started>(levels, sum_of(mine, sums),
                                                                           "all_reduce_init", by);
}

bool is_at_once(const topo::persistent& one) {
    return dynamic_cast<topo::detail::posted_multi_object*>(one.running()) != nullptr;
}
bool is_in_lanes(const topo::persistent& one) {
    return dynamic_cast<topo::detail::posted_lanes*>(one.running()) != nullptr;
}

/// Nodes of several ranks, which in the simulation are on one host.
topo::hierarchy on_nodes(const boost::mpi::communicator& world) {
    const int cores = world.size() > 8 ? 8 : (world.size() + 1) / 2;
    return {world, topo::machine::parse("node:8 core:" + std::to_string(cores)),
            topo::placement::core_by_core()};
}

} // namespace

TEST_CASE("all_reduces of all lengths at once by each plan, in place as well") {
    const boost::mpi::communicator world;
    // The longest are of several pieces, the last of them shorter.
    const std::vector<std::size_t> counts = topo::detail::is_simulated
                                                ? std::vector<std::size_t>{0, 1, 700, 40001}
                                                : std::vector<std::size_t>{0, 1, 3, 700, 9000, 40001, 100000};
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (std::size_t which = 0; which < plans.size(); ++which) {
            INFO(each.name, ", plan ", which);
            topo_test::prepared_sums all{counts, [&](numbers& mine, numbers& sums) {
                                             return prepare(levels, *plans[which], mine, sums);
                                         }};
            for (int round = 0; round < 4; ++round) {
                all.fill(world.rank(), round);
                if (round < 2) { // one after the other
                    for (auto& step : all.steps) {
                        step.start();
                        step.wait();
                    }
                } else {
                    for (auto& step : all.steps)
                        step.start();
                    topo::wait_all(all.steps);
                }
                all.check(world.size(), round);
            }
        }
    }
}

TEST_CASE("it exchanges as the plan of the blocking form says") {
    const boost::mpi::communicator world;
    if (world.size() < 4) return;
    const topo::hierarchy levels = on_nodes(world);
    numbers mine(2000), sums(2000);
    CHECK(is_at_once(prepare(levels, through_nodes<topo::multi_object>, mine, sums)));
    CHECK(is_in_lanes(prepare(levels, through_nodes<topo::rounds_in_lanes<4>>, mine, sums)));
    const topo::persistent other = prepare(levels, through_nodes<topo::rounds_in_level<2>>, mine, sums);
    CHECK(other.is_made());
    CHECK(!is_at_once(other));
    CHECK(!is_in_lanes(other));
    topo::persistent meeting = topo::detail::begin<algorithm::any, topo::detail::when_started>(
        levels, topo::detail::barrier_arguments{}, "barrier_init", through_nodes<topo::multi_object>);
    CHECK(is_at_once(meeting));
    for (int round = 0; round < 3; ++round) {
        meeting.start();
        meeting.wait();
    }
    // By default it takes the plan that the blocking form takes.
    for (const std::size_t count : {std::size_t{2}, std::size_t{2000}, std::size_t{50000}}) {
        numbers from(count), to(count);
        const topo::plan blocking = topo::detail::choose_automatically(topo::detail::verb::all_reduce, levels,
                                                                       count * sizeof(int), true);
        const topo::persistent made =
            topo::all_reduce_init(levels, from.data(), topo::message{to.data(), count, MPI_INT}, MPI_SUM);
        CHECK(is_at_once(made) == (blocking == through_nodes<topo::multi_object>));
        CHECK(is_in_lanes(made) == (blocking.uses == algorithm::hierarchical &&
                                    blocking.loop.rules.back().algorithm.radix_of_lanes > 0));
    }
}

#ifdef SMPI_H
TEST_CASE("it takes no longer than the blocking form by the same plan") {
    const boost::mpi::communicator world;
    if (world.size() < 4) return;
    const topo::hierarchy levels = on_nodes(world);
    const auto slowest = [&](auto call) {
        double seconds = 0;
        for (int round = 0; round < 2; ++round) { // the first one makes what is kept
            double at = MPI_Wtime(), start = 0;
            MPI_Allreduce(&at, &start, 1, MPI_DOUBLE, MPI_MAX, world);
            start += 1e-3;
            topo::detail::pass_simulated_time(start - MPI_Wtime());
            call();
            const double mine = MPI_Wtime() - start;
            MPI_Allreduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, world);
        }
        return seconds;
    };
    for (const topo::plan* const by : {plans[0], plans[1], plans[2]})
        for (const std::size_t count :
             {std::size_t{2}, std::size_t{250}, std::size_t{2048}, std::size_t{16384}, std::size_t{65536}}) {
            INFO("plan ", by - plans[0], ", ", count, " numbers");
            if (by == plans[0] && count > 250) continue; // which the blocking form does not exchange at once
            numbers mine(count, 1), sums(count);
            topo::persistent step = prepare(levels, *by, mine, sums);
            const double blocking = slowest([&] {
                topo::detail::all_reduce<algorithm::any>(levels, mine.data(), {sums.data(), count, MPI_INT},
                                                         {MPI_SUM, true}, *by);
            });
            const double persistent = slowest([&] {
                step.start();
                step.wait();
            });
            CHECK(sums == numbers(count, world.size()));
            CHECK(persistent <= blocking * 1.005 + 20e-9); // the clock takes 10 ns
        }
}
#endif

} // namespace posted_between_nodes_tests
