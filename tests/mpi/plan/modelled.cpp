// SPDX-License-Identifier: BSL-1.0
// As many nodes as ranks: from 64 on `automatic` asks the cost models, and all results are what they must be.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace modelled_tests {

namespace {

/// Takes over its right operand where it is not zero: the last one in the order of ranks.
struct last_of {
    long operator()(long left, long right) const { return right != 0 ? right : left; }
};

std::vector<long> values(int rank, std::size_t count) {
    std::vector<long> result(count);
    std::iota(result.begin(), result.end(), 1000L * (rank + 1));
    return result;
}

} // namespace

TEST_CASE("a node for each rank: broadcasts and reductions of any length, to and from any root") {
    const boost::mpi::communicator world;
    const int size = world.size();
    const auto machine = topo::machine::parse("switch:8 node:" + std::to_string((size + 7) / 8) + " core:1");
    const topo::hierarchy levels{world, machine, topo::placement::core_by_core()};
    const auto now = topo::detail::decisions::of(levels).key_of(topo::detail::verb::broadcast, 8, true);
    CHECK(now.nodes() == size);
    CHECK(now.levels_above == (size > 8 ? 1 : 0));
    if (size >= 64)
        CHECK(topo::detail::rank_plans(now).front().from != topo::detail::cost_origin::tuned_table);
    for (const std::size_t count : {0U, 1U, 7U, 300U, 5000U, 40000U}) {
        for (const int root : {0, size / 2, size - 1}) {
            INFO(count << " elements, root " << root);
            auto sent = values(world.rank() == root ? root : -1, count);
            topo::broadcast(levels, sent, root);
            CHECK(sent == values(root, count));
            const auto sum = topo::reduce(levels, values(world.rank(), count), std::plus<>{}, root);
            const auto last = topo::reduce(levels, values(world.rank(), count), last_of{}, root);
            if (world.rank() != root) continue;
            CHECK(last == values(size - 1, count));
            bool is_right = sum.size() == count;
            for (std::size_t i = 0; i < sum.size(); ++i)
                is_right = is_right && sum[i] == 500L * size * (size + 1) + static_cast<long>(i) * size;
            CHECK(is_right);
        }
        topo::barrier(levels);
        const auto everywhere = topo::all_reduce(levels, values(world.rank(), count), std::plus<>{});
        bool is_right = everywhere.size() == count;
        for (std::size_t i = 0; i < everywhere.size(); ++i)
            is_right = is_right && everywhere[i] == 500L * size * (size + 1) + static_cast<long>(i) * size;
        CHECK(is_right);
        CHECK(topo::all_reduce(levels, values(world.rank(), count), last_of{}) == values(size - 1, count));
    }
}

} // namespace modelled_tests
