// SPDX-License-Identifier: BSL-1.0
// Collectives under way from more roots than a hierarchy keeps trees for.
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace many_roots_tests {

TEST_CASE("along lanes from every root at a time") { // lanes keep the trees of 64 roots
    const boost::mpi::communicator world;
    const int size = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:20 core:4"),
                                 topo::placement::core_by_core()};
    constexpr std::size_t count = 12;
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<std::vector<int>> spread(ranks), sums(ranks);
    const std::vector<int> ones(count, 1);
    std::vector<topo::request> under_way;
    for (int root = 0; root < size; ++root) {
        auto& data = spread[static_cast<std::size_t>(root)];
        data.assign(count, world.rank() == root ? 7 * root : -1);
        under_way.push_back(
            topo::ibroadcast(levels, data, root, topo::lanes<topo::binomial, topo::binomial>{}));
        auto& sum = sums[static_cast<std::size_t>(root)];
        sum.assign(count, -1);
        under_way.push_back(topo::ireduce(levels, ones, sum, std::plus<>{}, root,
                                          topo::lanes<topo::binomial, topo::binomial>{}));
    }
    topo::wait_all(under_way);
    for (int root = 0; root < size; ++root) {
        CHECK(spread[static_cast<std::size_t>(root)] == std::vector<int>(count, 7 * root));
        if (world.rank() == root)
            CHECK(sums[static_cast<std::size_t>(root)] == std::vector<int>(count, size));
    }
}

} // namespace many_roots_tests
