// SPDX-License-Identifier: BSL-1.0
// Floating-point sums that have the same bits on every machine, wherever the ranks are; and that without the
// policy they have not.
#include "support/collective_calls.hpp"
#include "support/joining.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace placement_independent_tests {

namespace {

using bits = std::vector<std::uint64_t>;

constexpr std::size_t count = 29; // more than a segment

/// Numbers of very different size, whose sum depends on the order of the additions.
double summand(int rank, std::size_t index) {
    const double fraction = 1.0 + 1.0 / (3.0 + rank + 7.0 * static_cast<double>(index));
    return (rank % 2 == 0 ? fraction : -fraction) * static_cast<double>(1ULL << (rank * 5 % 53));
}

/// All sums that a policy computes of them, as bits; of each rank its own.
struct sums {
    std::string name;
    bits (*of)(const topo::hierarchy&);
};

template <class Policy, bool KeepsOrder>
bits all_sums(const topo::hierarchy& levels) {
    const auto& whole = levels.whole();
    std::vector<double> mine(count), result(count), every;
    for (std::size_t i = 0; i < count; ++i)
        mine[i] = summand(whole.rank(), i);
    const auto keep = [&] { every.insert(every.end(), result.begin(), result.end()); };
    topo::all_reduce(levels, mine, result, std::plus<>{}, Policy{});
    keep();
    topo::iall_reduce(levels, mine, result, std::plus<>{}, Policy{}).wait();
    keep();
    for (const int root : topo_test::roots(whole.size())) {
        result.assign(count, 0.0);
        topo::reduce(levels, mine, result, std::plus<>{}, root, Policy{});
        keep();
        result = mine; // in place
        topo::reduce(levels, result, result, std::plus<>{}, root, Policy{});
        keep();
        result.assign(count, 0.0);
        topo::ireduce(levels, mine, result, std::plus<>{}, root, Policy{}).wait();
        keep();
    }
    if constexpr (KeepsOrder) {
        topo::scan(levels, mine, result, std::plus<>{}, Policy{});
        keep();
        result.assign(count, 0.0);
        topo::exclusive_scan(levels, mine, result, std::plus<>{}, Policy{});
        keep();
    }
    const auto ranks = static_cast<std::size_t>(whole.size());
    std::vector<double> blocks(2 * ranks);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = summand(whole.rank(), i);
    result.assign(2, 0.0);
    topo::reduce_scatter(levels, blocks, result, std::plus<>{}, Policy{});
    keep();
    bits found;
    for (const double each : every)
        found.push_back(std::bit_cast<std::uint64_t>(each));
    return found;
}

using topo::placement_independent;

const std::vector<sums>& independent() {
    using namespace topo;
    static const std::vector<sums> all{
        {"linear", &all_sums<placement_independent<linear>, true>},
        {"chain", &all_sums<placement_independent<chain>, true>},
        {"binary", &all_sums<placement_independent<binary>, false>},
        {"3-ary", &all_sums<placement_independent<k_ary<3>>, false>},
        {"binomial", &all_sums<placement_independent<>, true>},
        {"in-order binary", &all_sums<placement_independent<in_order_binary>, true>},
        {"segments", &all_sums<placement_independent<segmented<64, k_nomial<3>>>, true>},
    };
    return all;
}

/// Every machine that there is, and some more with ranks bound anywhere.
template <class F>
void on_all_machines(const boost::mpi::communicator& world, F f) {
    const std::size_t step = world.size() > 16 ? 6 : 1;
    const auto all = topo_test::scenarios(world.size());
    for (std::size_t i = 0; i < all.size(); i += step)
        f(all[i].name, topo::hierarchy{world, all[i].on, all[i].rule});
    for (std::uint32_t seed = 300; seed < 312; seed += static_cast<std::uint32_t>(3 * step)) {
        const auto each = topo_test::random_scenario(seed, world.size());
        f(each.name, topo::hierarchy{world, each.on, each.rule, topo_test::random_options(seed)});
    }
}

bool is_so_on_any_rank(const boost::mpi::communicator& world, bool here) {
    int mine = here ? 1 : 0, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
    return any != 0;
}

} // namespace

TEST_CASE("sums have the same bits on every machine") {
    const boost::mpi::communicator world;
    for (const sums& by : independent()) {
        bits first;
        on_all_machines(world, [&](const std::string& name, const topo::hierarchy& levels) {
            INFO(name << ", " << by.name);
            const bits now = by.of(levels);
            if (first.empty()) first = now;
            CHECK(now == first);
        });
    }
}

TEST_CASE("without the policy they have not") {
    const boost::mpi::communicator world;
    bits first;
    bool differ = false;
    on_all_machines(world, [&](const std::string&, const topo::hierarchy& levels) {
        const bits now = all_sums<topo::binomial, true>(levels);
        if (first.empty()) first = now;
        differ = differ || now != first;
    });
    // Two numbers have one sum.
    CHECK(is_so_on_any_rank(world, differ) == (world.size() > 2));
}

TEST_CASE("sums are right, and operands that must not be reordered are not") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::affine> maps{&topo_test::affine_of};
    on_all_machines(world, [&](const std::string& name, const topo::hierarchy& levels) {
        INFO(name);
        const int all = world.size() * (world.size() + 1) / 2;
        CHECK(topo::all_reduce(levels, world.rank() + 1, std::plus<>{}, placement_independent<>{}) == all);
        topo_test::affine mine = topo_test::affine_of(world.rank(), 0), result,
                          expected = topo_test::affine_of(0, 0);
        for (int rank = 1; rank < world.size(); ++rank)
            expected = join(expected, topo_test::affine_of(rank, 0));
        for (const int root : topo_test::roots(world.size())) {
            result = {};
            topo::reduce(levels, &mine, {&result, 1, maps.type()}, maps.op(), root,
                         placement_independent<topo::segmented<64, topo::in_order_binary>>{});
            CHECK(result == (world.rank() == root ? expected : topo_test::affine{}));
        }
    });
}

} // namespace placement_independent_tests
