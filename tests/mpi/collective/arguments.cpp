// SPDX-License-Identifier: BSL-1.0
// The forms in which the verbs take their arguments: those of Boost.MPI, counts of any integers, MPI's own
// operations, levels, raw communicators.
#include "support/check_fails.hpp"
#include "support/check_levels.hpp"
#include "support/made_up.hpp"
#include "support/open_handles.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/inplace.hpp>
#include <boost/serialization/string.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace arguments_tests {

using boost::mpi::communicator;
using topo_test::check_fails;
using topo_test::compare;

namespace {

topo::hierarchy two_nodes(const communicator& world) {
    return {world, topo::machine::parse("node:2 package:2 core:2"), topo::placement::round_robin()};
}

/// Of rank r, r + 1 elements, the first of them 10 r.
std::vector<int> elements_of(int rank) {
    std::vector<int> elements(static_cast<std::size_t>(rank) + 1);
    std::iota(elements.begin(), elements.end(), 10 * rank);
    return elements;
}

/// An operation that does not commute: the right one of two.
void take_right(void*, void*, int*, MPI_Datatype*) {}
void take_left(void* left, void* right, int* count, MPI_Datatype*) {
    std::copy_n(static_cast<const int*>(left), *count, static_cast<int*>(right));
}

} // namespace

TEST_CASE("Boost.MPI's forms give what they give there") {
    const communicator world;
    const auto levels = two_nodes(world);
    const int rank = world.rank(), root = world.size() - 1;
    const double mine = 1.5 * rank + 1;
    const std::plus<double> sum;

    std::vector<double> expected, result(1, -1.0); // of another length than it must have
    boost::mpi::all_gather(world, mine, expected);
    topo::all_gather(levels, mine, result);
    CHECK((result == expected));
    result.assign(expected.size() + 3, -1.0);
    topo::all_gather(levels, mine, result, topo::ring{});
    CHECK((result == expected));
    std::vector<double> on_root, there;
    boost::mpi::gather(world, mine, on_root, root);
    topo::gather(levels, mine, there, root);
    CHECK((there == on_root));
    result.assign(2, -1.0);
    topo::iall_gather(levels, mine, result).wait();
    CHECK((result == expected));

    double value = 0, other = 0;
    boost::mpi::all_reduce(world, mine, value, sum);
    topo::all_reduce(levels, mine, other, sum);
    CHECK(other == value);
    other = mine;
    topo::all_reduce(levels, boost::mpi::inplace(other), sum, topo::binomial{});
    CHECK(other == value);
    std::vector<double> several(3, mine);
    topo::all_reduce(levels, boost::mpi::inplace(several), sum);
    CHECK((several == std::vector<double>(3, value)));
    CHECK(topo::reduce(levels, mine, sum, root) == (rank == root ? value : 0));

    boost::mpi::scan(world, mine, value, sum);
    topo::scan(levels, mine, other, sum);
    CHECK(other == value);
    other = 0;
    topo::exclusive_scan(levels, mine, other, sum);
    CHECK(other == value - mine);

    if (rank == root) // the root names what it has, the others only where theirs goes
        topo::scatter(levels, expected, other, root);
    else
        topo::scatter(levels, other, root);
    CHECK(other == mine);
    std::vector<double> block(1);
    if (rank == root)
        topo::scatterv(levels, expected, std::vector<int>(expected.size(), 1), block, root);
    else
        topo::scatterv(levels, block, root);
    CHECK(block.front() == mine);
}

TEST_CASE("Boost.MPI's forms for what is serialized") {
    const communicator world;
    const auto levels = two_nodes(world);
    const int root = world.size() / 2;
    const std::string mine(static_cast<std::size_t>(world.rank()) * 3, 'a');
    std::vector<std::string> expected, result(2, "before");
    boost::mpi::all_gather(world, mine, expected);
    topo::all_gather(levels, mine, result);
    CHECK((result == expected));
    result.assign(1, "before");
    topo::gather(levels, mine, result, root);
    CHECK((result == (world.rank() == root ? expected : std::vector<std::string>{"before"})));
    std::string back = "before";
    topo::scatter(levels, expected, back, root);
    CHECK(back == mine);
}

TEST_CASE("counts and positions are integers of any type") {
    const communicator world;
    const auto levels = two_nodes(world);
    const auto ranks = static_cast<std::size_t>(world.size());
    std::vector<int> ints(ranks), expected;
    std::iota(ints.begin(), ints.end(), 1);
    for (int rank = 0; rank < world.size(); ++rank)
        std::ranges::copy(elements_of(rank), std::back_inserter(expected));
    std::vector<int> begin(ranks);
    std::exclusive_scan(ints.begin(), ints.end(), begin.begin(), 0);
    const auto mine = elements_of(world.rank());

    const auto check = [&](const topo::integers& counts) {
        std::vector<int> all(expected.size()), block(mine.size());
        topo::all_gatherv(levels, mine, all, counts);
        CHECK((all == expected));
        topo::gatherv(levels, mine, all, counts, begin, 0);
        topo::scatterv(levels, expected, counts, block, 0);
        CHECK((block == mine));
        block.assign(block.size(), 0);
        topo::reduce_scatter(levels, expected, counts, block, MPI_MAX);
        CHECK((block == mine));
        all.assign(all.size(), 0);
        topo::all_gatherv(levels, {block.data(), block.size(), MPI_INT},
                          {all.data(), MPI_INT, 0, counts, begin});
        CHECK((all == expected));
        // To each rank what all get of it.
        const auto exchanged = topo::all_to_allv(levels, expected, counts);
        for (int rank = 0; rank < world.size(); ++rank)
            CHECK((std::ranges::equal(exchanged[rank], mine)));
        topo::shared_window<int> window{levels, expected.size(), topo::hybrid::one_copy};
        topo::hybrid::all_gatherv(levels, mine, window, counts);
        CHECK((std::ranges::equal(window.all(), expected)));
        window.fence();
    };
    check(ints);
    check(std::vector<int>{ints}); // which ends with the call
    check(std::vector<long>(ints.begin(), ints.end()));
    check(std::list<short>(ints.begin(), ints.end()));
    check(std::vector<unsigned>(ints.begin(), ints.end()));
    check(std::span<const int>{ints});
    const std::vector<std::size_t> sizes(ints.begin(), ints.end());
    check(std::span<const std::size_t>{sizes});
    if (world.size() == 2) check({1, 2});
}

TEST_CASE("a negative count or position is named, and no rank is waited for") {
    const communicator world;
    const auto levels = two_nodes(world);
    const int rank = world.rank();
    std::vector<int> counts(static_cast<std::size_t>(world.size()), 1), good = counts;
    counts.back() = -5;
    std::vector<int> all(counts.size()), one(1);
    const std::string which = '[' + std::to_string(world.size() - 1) + "]: it is -5";
    const auto refused = [&](auto call, const std::string& name) {
        check_fails<topo::argument_error>(call, {"topo::" + name + which});
    };
    refused([&] { topo::all_gatherv(levels, one, all, counts); }, "all_gatherv: counts");
    refused([&] { topo::gatherv(levels, one, all, counts, rank); }, "gatherv: counts");
    refused([&] { topo::gatherv(levels, one, all, good, counts, rank); }, "gatherv: positions");
    refused([&] { topo::scatterv(levels, all, counts, one, rank); }, "scatterv: counts");
    refused([&] { topo::scatterv(levels, all, std::vector<long long>(counts.begin(), counts.end()), rank); },
            "scatterv: counts");
    refused([&] { topo::all_to_allv(levels, all, counts); }, "all_to_allv: counts");
    refused([&] { topo::reduce_scatter(levels, all, counts, one, MPI_SUM); }, "reduce_scatter: counts");
    refused(
        [&] {
            topo::all_gatherv(levels, {one.data(), 1, MPI_INT}, {all.data(), MPI_INT, 0, counts});
        },
        "all_gatherv: counts");
    topo::shared_window<int> window{levels, all.size(), topo::hybrid::one_copy};
    refused([&] { topo::hybrid::all_gatherv(levels, one, window, counts); }, "hybrid::all_gatherv: counts");
    refused([&] { topo::hybrid::all_gatherv(levels, window, counts); }, "hybrid::all_gatherv: counts");
}

TEST_CASE("operations by MPI's handle combine elements as MPI does") {
    const communicator world;
    const auto levels = two_nodes(world);
    const int rank = world.rank(), root = world.size() / 2;
    MPI_Op left = MPI_OP_NULL, right = MPI_OP_NULL;
    MPI_Op_create(&take_left, 0, &left);
    MPI_Op_create(&take_right, 0, &right);
    for (const MPI_Op op : {MPI_SUM, MPI_BXOR, left, right}) {
        const auto of = [](int of_rank) { return std::array<int, 2>{of_rank + 3, 7 * of_rank}; };
        const auto mine = of(rank);
        std::array<int, 2> expected{}, result{};
        MPI_Allreduce(mine.data(), expected.data(), 2, MPI_INT, op, world);
        topo::all_reduce(levels, mine, result, op);
        CHECK((result == expected));
        CHECK(topo::all_reduce(levels, mine[0], op, topo::binomial{}) == expected[0]);
        CHECK((topo::all_reduce(levels, mine, op)[1] == expected[1]));
        result = {};
        topo::iall_reduce(levels, mine, result, op).wait();
        CHECK((result == expected));
        result = {};
        topo::reduce(levels, mine, result, op, root);
        CHECK((result == (rank == root ? expected : std::array<int, 2>{})));
        topo::shared_window<int> window{levels, 2, topo::hybrid::one_copy};
        topo::hybrid::all_reduce(levels, mine, window, op);
        CHECK((std::ranges::equal(window.all(), expected)));
        window.fence();
        topo::hybrid::reduce(levels, mine, window, op, 0);
        if (rank == 0) CHECK((std::ranges::equal(window.all(), expected)));
        // SimGrid 3.32 hands a scan's operands over in any order.
        expected = op == left ? of(0) : of(rank);
        if (op == MPI_SUM || op == MPI_BXOR) MPI_Scan(mine.data(), expected.data(), 2, MPI_INT, op, world);
        topo::scan(levels, mine, result, op);
        CHECK((result == expected));
    }
    // Whether they may be reordered MPI says when it is too late for the compiler: all ranks are told.
    std::vector<int> data(2), result(2);
    topo::shared_window<int> window{levels, 2, topo::hybrid::one_copy};
    const topo::hybrid::policy<topo::rabenseifner> reordering;
    const auto refused = [&](auto call) { check_fails<topo::argument_error>(call, {"not commutative"}); };
    refused([&] { topo::all_reduce(levels, data, result, left, topo::rabenseifner{}); });
    refused([&] { topo::reduce(levels, data, result, left, 0, topo::binary{}); });
    refused([&] { topo::hybrid::all_reduce(levels, data, window, left, reordering); });
    refused([&] { topo::hybrid::reduce(levels, data, window, left, 0, reordering); });
    MPI_Op_free(&left);
    MPI_Op_free(&right);
}

TEST_CASE("a level is a hierarchy of its ranks") {
    const communicator world;
    topo::hierarchy::of(two_nodes(world).whole()); // makes the key, once, under which levels keep theirs
    const auto before = topo_test::count_open_handles();
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        for (const topo::level& here : levels) {
            const int mine = world.rank() + 1;
            int expected = 0;
            MPI_Allreduce(&mine, &expected, 1, MPI_INT, MPI_SUM, here.comm());
            CHECK(topo::all_reduce(here, mine, std::plus<>{}) == expected);
            int told = mine;
            topo::broadcast(here, told, here.size() - 1, topo::binomial{});
            expected = mine;
            MPI_Bcast(&expected, 1, MPI_INT, here.size() - 1, here.comm());
            CHECK(told == expected);
            told = mine;
            auto running = topo::ibroadcast(here, told, 0);
            running.wait();
            CHECK(told == here.info().root + 1);

            const topo::hierarchy part = here;
            CHECK(compare(part.whole(), here.comm()) == MPI_CONGRUENT);
            REQUIRE(part.depth() == levels.depth() - 1 - here.depth());
            for (int depth = 0; depth < part.depth(); ++depth) {
                const topo::level& inner = levels[here.depth() + 1 + depth];
                CHECK(part[depth].name() == inner.name());
                CHECK(part[depth].index() == inner.index());
                CHECK(compare(part[depth].comm(), inner.comm()) == MPI_CONGRUENT);
            }
            const topo::hierarchy again = here; // is not built again
            CHECK(compare(again.whole(), part.whole()) == MPI_IDENT);
        }
    }
    CHECK((topo_test::count_open_handles() == before)); // it went with the level
}

TEST_CASE("raw communicators") {
    const communicator world;
    const MPI_Comm raw = world;
    const auto on = topo::machine::parse("node:2 package:2 core:2");
    const auto rule = topo::placement::round_robin();
    const topo::hierarchy expected{world, on, rule}, levels{raw, on, rule};
    const auto check_same = [&](const topo::hierarchy& other) {
        CHECK(compare(other.whole(), world) == MPI_CONGRUENT);
        REQUIRE(other.depth() == expected.depth());
        for (int depth = 0; depth < other.depth(); ++depth)
            CHECK(other[depth].info() == expected[depth].info());
    };
    check_same(levels);
    const auto seats = rule.seats(on, world.size());
    check_same(topo::hierarchy{raw, on.place_of(seats[static_cast<std::size_t>(world.rank())])});
    // Its own communicator remembers the places: what is cached on that is the same again.
    const MPI_Comm whole = levels.whole();
    check_same(topo::hierarchy::of(whole));
    const auto below = topo::split_with_roots(whole);
    const auto node = topo::split(whole, topo::kind::machine);
    REQUIRE(node);
    if (levels.depth() > 0) CHECK(compare(below->comm(), levels[0].comm()) == MPI_CONGRUENT);
    CHECK(topo::split(whole).has_value() == below.has_value());
    CHECK(topo::discover_place(raw) == topo::discover_place(world));
    CHECK(topo::node_cart{whole, {0}}.size() == world.size());
    CHECK(topo::graph{whole, std::vector<int>{}}.size() == world.size());
    CHECK(topo::remap(raw, whole).to_rank() == world.rank());
}

} // namespace arguments_tests
