// SPDX-License-Identifier: BSL-1.0
// Hybrid verbs on windows of levels, where the ranks of one node have more levels than those of another.
#include "support/check_fails.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace level_windows_tests {

namespace {

namespace hybrid = topo::hybrid;
using window = topo::shared_window<int>;

/// The first node has two packages with a rank each; the second has none, and all other ranks.
topo::hierarchy uneven(const boost::mpi::communicator& world) {
    std::vector<topo::seat> seats(static_cast<std::size_t>(world.size()), topo::seat{1, {}});
    for (int rank = 0; rank < 2; ++rank)
        seats[static_cast<std::size_t>(rank)] = {0, topo::cpu_set{}.insert(rank, rank)};
    return {world, topo::machine::parse("package:2 core:1; core:1"), topo::placement::list(std::move(seats))};
}

const topo::level& innermost(const topo::hierarchy& levels) { return levels[levels.depth() - 1]; }

window over(const topo::level& level) { return {level, 2, hybrid::one_copy}; }

void check_sum(const topo::hierarchy& levels, window& sum) {
    const int rank = levels.whole_rank(), size = levels.whole_size();
    hybrid::all_reduce(levels, std::vector<int>{rank, 1}, sum, std::plus<>{});
    CHECK(sum.all()[0] == size * (size - 1) / 2);
    CHECK(sum.all()[1] == size);
}

} // namespace

TEST_CASE("windows of the innermost and of the outermost level, which are one level on some ranks") {
    const boost::mpi::communicator world;
    if (world.size() < 3) return;
    const topo::hierarchy levels = uneven(world);
    REQUIRE(levels.depth() == (world.rank() < 2 ? 2 : 1));
    window inner = over(innermost(levels)), outer = over(levels[0]);
    for (int again = 0; again < 2; ++again) {
        check_sum(levels, inner);
        check_sum(levels, outer);
    }
    // Groups that there are already, in either order, and in other forms of verbs.
    for (int again = 0; again < 3; ++again) {
        window outer_again = over(levels[0]), inner_again = over(innermost(levels));
        check_sum(levels, again == 1 ? inner_again : outer_again);
        window moved = std::move(again == 1 ? outer_again : inner_again);
        const std::vector<int> mine{world.rank(), 1};
        hybrid::iall_reduce(levels, mine, moved, std::plus<>{}).wait();
        CHECK(moved.all()[1] == world.size());
        check_sum(levels, moved);
    }
    window of_nodes{levels, 2, hybrid::one_copy};
    check_sum(levels, of_nodes);
    check_sum(levels, inner);
}

TEST_CASE("every verb may be the first that uses a window of a level") {
    const boost::mpi::communicator world;
    if (world.size() < 3) return;
    const topo::hierarchy levels = uneven(world);
    const int size = world.size();
    for (const bool is_inner : {true, false, true}) {
        const topo::level& where = is_inner ? innermost(levels) : levels[0];
        window first = over(where), blocks{where, 2 * size, hybrid::one_copy};
        window source{where, size}, result{where, size};
        hybrid::broadcast(levels, std::vector<int>{3, 4}, first, size - 1);
        CHECK(first.all()[1] == 4);
        hybrid::gather(levels, std::vector<int>{world.rank(), 7}, blocks, 0);
        if (world.rank() == 0) CHECK(blocks.all()[static_cast<std::size_t>(2 * size - 2)] == size - 1);
        for (int to = 0; to < size; ++to)
            source.local()[static_cast<std::size_t>(to)] = 100 * world.rank() + to;
        hybrid::all_to_all(levels, source, result);
        for (int from = 0; from < size; ++from)
            CHECK(result.local()[static_cast<std::size_t>(from)] == 100 * from + world.rank());
    }
}

TEST_CASE("windows that do not belong together are refused in a checked build") {
    const boost::mpi::communicator world;
    if (!topo::detail::is_checked || world.size() < 3) return;
    const topo::hierarchy levels = uneven(world);
    window inner = over(innermost(levels)), outer = over(levels[0]);
    check_sum(levels, inner);
    check_sum(levels, outer);
    const bool is_first = world.rank() < 2;
    topo_test::check_fails<topo::argument_error>([&] { check_sum(levels, is_first ? inner : outer); },
                                                 {"topo::hybrid::all_reduce", "window"});
    window unused = over(innermost(levels)), of_nodes{levels, 2, hybrid::one_copy};
    topo_test::check_fails<topo::argument_error>([&] { check_sum(levels, is_first ? unused : outer); },
                                                 {"topo::hybrid::all_reduce", "window"});
    topo_test::check_fails<topo::argument_error>([&] { check_sum(levels, is_first ? unused : of_nodes); },
                                                 {"topo::hybrid::all_reduce", "window"});
    check_sum(levels, outer);
}

} // namespace level_windows_tests
