// SPDX-License-Identifier: BSL-1.0
// All_reduces by posts, in groups of so few ranks that few ranks have several stages.
#include "support/joining.hpp"
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace posted_all_reduce_tests {

namespace {

using maps = std::vector<topo_test::affine>;

/// What all ranks of a communicator give in a round, in rank order.
maps of_all(const boost::mpi::communicator& ranks, std::size_t count, int round) {
    maps result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(topo_test::affine_of(0, i + static_cast<std::size_t>(round)));
        for (int rank = 1; rank < ranks.size(); ++rank)
            result.back() =
                join(result.back(), topo_test::affine_of(rank, i + static_cast<std::size_t>(round)));
    }
    return result;
}

} // namespace

TEST_CASE("operands that do not commute, in groups of two, three and all ranks") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::affine> type{&topo_test::affine_of};
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    topo::arena& memory = topo::arena::of(levels);
    topo::detail::in_flight& all = topo::detail::in_flight::of(levels);
    for (const bool is_all : {true, false})
        for (const int group : {2, 3, topo::detail::posted_all_reduce::most_of_group})
            for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
                INFO("groups of " << group << ", " << count
                                  << " elements, rank 0 alone has the sum first: " << !is_all);
                maps mine(count), result(count);
                topo::detail::posted_all_reduce op{
                    memory, mine.data(), {result.data(), count, type.type()}, type.op(), is_all, group};
                for (int round = 0; round < 5; ++round) {
                    for (std::size_t i = 0; i < count; ++i)
                        mine[i] =
                            topo_test::affine_of(memory.comm().rank(), i + static_cast<std::size_t>(round));
                    op.start();
                    all.begin(op);
                    all.wait(op);
                    all.remove(op);
                    if (op.hands_out()) op.hand_out();
                    CHECK(result == of_all(memory.comm(), count, round));
                }
            }
}

} // namespace posted_all_reduce_tests
