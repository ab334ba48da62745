// SPDX-License-Identifier: BSL-1.0
// Exchanges in doubling and halving steps and around a ring: sums of floating-point numbers are the same bits
// on all ranks and in the next call, what would be reordered is refused, and all go on in the background.
#include "support/check_fails.hpp"
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace doubling_tests {

using topo_test::complaints;
using topo_test::verbs;

namespace {

/// Numbers of very different size, whose sum depends on the order.
double awkward(int rank, std::size_t i) {
    return std::ldexp(1.0 + 0.1 * rank, (rank * 37 + static_cast<int>(i) * 11) % 60 - 30);
}

std::vector<verbs> exchanges() {
    auto all = topo_test::commuting_policies();
    all.push_back(topo_test::verbs_by<topo::recursive_doubling>("recursive doubling"));
    all.push_back(topo_test::verbs_by<topo::k_ary_recursive_doubling<5>>("recursive doubling by 5"));
    return all;
}

std::vector<double> operands(int rank, std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(awkward(rank, i));
    return result;
}

/// Whether each sum is right but for rounding.
bool is_near(const std::vector<double>& sum, int ranks) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        double expected = 0;
        for (int rank = 0; rank < ranks; ++rank)
            expected += awkward(rank, i);
        if (std::abs(sum[i] - expected) > 1e-12 * expected) return false;
    }
    return true;
}

bool is_same_everywhere(const std::vector<double>& mine, MPI_Comm comm) {
    std::vector<double> first = mine;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_DOUBLE, 0, comm);
    int is_same = mine.empty() || std::memcmp(mine.data(), first.data(), mine.size() * sizeof(double)) == 0,
        all = 0;
    MPI_Allreduce(&is_same, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

} // namespace

TEST_CASE("the row of exchanges: each object's ranks are neighbours, and a block of the row where all are "
          "equally large") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        const topo::detail::exchange_order& row = topo::detail::context::of(levels).order();
        std::vector<int> all = row.ranks;
        std::ranges::sort(all);
        for (int rank = 0; rank < world.size(); ++rank)
            CHECK(all[static_cast<std::size_t>(rank)] == rank);
        CHECK(row.at(0) == world.rank());
        for (const topo::level& object : levels) {
            std::array<int, 2> ends{row.mine, -row.mine};
            MPI_Allreduce(MPI_IN_PLACE, ends.data(), 2, MPI_INT, MPI_MIN, object.comm());
            const int first = ends[0], size = object.comm().size();
            CHECK(-ends[1] - first + 1 == size);
            if (std::ranges::find(row.blocks, size) != row.blocks.end()) CHECK(first % size == 0);
        }
    }
}

TEST_CASE("sums of doubles: the same bits on every rank, and again in the next call") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const verbs& by : exchanges()) {
            INFO(each.name << ", " << by.name);
            for (const std::size_t count : {1U, 5U, 1000U}) {
                const auto mine = operands(world.rank(), count);
                std::vector<double> sum(count), again(count);
                by.all_reduce(levels, mine.data(), {sum.data(), count, MPI_DOUBLE}, MPI_SUM);
                by.all_reduce(levels, mine.data(), {again.data(), count, MPI_DOUBLE}, MPI_SUM);
                CHECK(is_near(sum, world.size()));
                CHECK(is_same_everywhere(sum, world));
                CHECK(sum == again);
            }
        }
    }
}

TEST_CASE("operations that are not commutative are refused by what reorders, on every rank") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::affine> maps{&topo_test::affine_of};
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    topo_test::affine mine, result;
    const topo::message what{&result, 1, maps.type()};
    const auto refused = [&](auto call, const std::string& verb) {
        topo_test::check_fails<topo::argument_error>(call, {verb, "not commutative", "recursive_doubling"});
    };
    refused([&] { topo::all_reduce(levels, &mine, what, maps.op(), topo::rabenseifner{}); }, "all_reduce");
    refused([&] { topo::all_reduce(levels, &mine, what, maps.op(), topo::ring{}); }, "all_reduce");
    refused([&] { topo::reduce(levels, &mine, what, maps.op(), 0, topo::rabenseifner{}); }, "reduce");
    refused([&] { topo::iall_reduce(levels, &mine, what, maps.op(), topo::ring{}).wait(); }, "iall_reduce");
}

TEST_CASE("several exchanges at the same time in the background") {
    const boost::mpi::communicator world;
    const int ranks = world.size(), me = world.rank(), root = ranks / 2;
    const std::size_t count = 700;
    std::vector<int> mine(count, me + 1), expected(count, ranks * (ranks + 1) / 2),
        all_ranks(expected.size());
    all_ranks.resize(static_cast<std::size_t>(ranks));
    std::iota(all_ranks.begin(), all_ranks.end(), 0);
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        std::array<std::vector<int>, 4> sums;
        for (auto& sum : sums)
            sum.assign(count, -1);
        std::vector<int> gathered(all_ranks.size()), come(all_ranks.size());
        std::vector<topo::request> requests;
        requests.push_back(topo::iall_reduce(levels, mine, sums[0], std::plus<>{}, topo::rabenseifner{}));
        requests.push_back(topo::iall_reduce(levels, mine, sums[1], std::plus<>{}, topo::ring{}));
        requests.push_back(
            topo::iall_reduce(levels, mine, sums[2], std::plus<>{}, topo::recursive_doubling{}));
        requests.push_back(topo::ireduce(levels, mine, sums[3], std::plus<>{}, root, topo::rabenseifner{}));
        requests.push_back(topo::iall_gather(levels, me, gathered, topo::recursive_doubling{}));
        requests.push_back(topo::ibarrier(levels));
        requests.push_back(topo::iall_to_all(levels, all_ranks, come, topo::bruck{}));
        if (me % 2 == 0) // others in the other order
            for (auto& one : requests)
                one.wait();
        else
            for (std::size_t i = requests.size(); i-- > 0;)
                requests[i].wait();
        CHECK(sums[0] == expected);
        CHECK(sums[1] == expected);
        CHECK(sums[2] == expected);
        CHECK((me != root || sums[3] == expected));
        CHECK(gathered == all_ranks);
        CHECK(come == std::vector<int>(all_ranks.size(), me));
    }
}

} // namespace doubling_tests
