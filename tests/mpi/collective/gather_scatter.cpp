// SPDX-License-Identifier: BSL-1.0
// gather and scatter give what a serial loop gives, on every machine, from and to every root, by every
// policy.
#include "support/block_policies.hpp"
#include "support/check_fails.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gather_scatter_tests {

using topo::blocks;
using topo::message;
using topo_test::all_blocks;
using topo_test::block_of;
using topo_test::block_policies;
using topo_test::check_fails;
using topo_test::roots_to_try;
using topo_test::untouched;

namespace {

enum class own { apart, in_place };

void check_gather(const topo::hierarchy& levels, const topo_test::block_policy& policy, int call,
                  std::size_t count, int root, own where) {
    const int rank = levels.whole().rank(), ranks = levels.whole().size();
    const auto expected = rank == root ? all_blocks(call, ranks, count) : std::vector<int>{};
    const bool in_place = rank == root && where == own::in_place;
    auto mine = block_of(call, rank, count);
    std::vector<int> result(expected.size(), untouched);
    if (in_place) std::ranges::copy(mine, result.begin() + static_cast<std::ptrdiff_t>(count) * rank);
    policy.gather(levels, {in_place ? MPI_IN_PLACE : mine.data(), in_place ? 0 : count, MPI_INT},
                  {result.data(), MPI_INT, count}, root);
    CHECK((rank != root || result == expected));
    CHECK(mine == block_of(call, rank, count));
}

void check_scatter(const topo::hierarchy& levels, const topo_test::block_policy& policy, int call,
                   std::size_t count, int root, own where) {
    const int rank = levels.whole().rank(), ranks = levels.whole().size();
    const bool in_place = rank == root && where == own::in_place;
    auto source = rank == root ? all_blocks(call, ranks, count) : std::vector<int>{};
    std::vector<int> mine(count, untouched);
    policy.scatter(levels, {source.data(), MPI_INT, count},
                   {in_place ? MPI_IN_PLACE : mine.data(), in_place ? 0 : count, MPI_INT}, root);
    CHECK((in_place || mine == block_of(call, rank, count)));
    CHECK((rank != root || source == all_blocks(call, ranks, count)));
}

} // namespace

TEST_CASE("every policy, machine, root and size") {
    const boost::mpi::communicator world;
    const std::size_t long_block = world.size() > 16 ? 1'501 : 20'011;
    int turn = 0, combination = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        if (block_policies().size() % 2 == 0) ++turn; // so that each gets the other roots on the next machine
        int call = 0;
        for (const auto& policy : block_policies()) {
            if (topo_test::is_left_out(world.size(), combination++)) continue;
            for (const int root : roots_to_try(world.size(), ++turn)) {
                INFO(each.name << ", " << policy.name << ", root " << root);
                const std::size_t count = ++call % 2 == 0 ? 1 : 7;
                check_gather(levels, policy, call, count, root, call % 3 == 0 ? own::in_place : own::apart);
                check_scatter(levels, policy, call, count, root, call % 3 == 1 ? own::in_place : own::apart);
            }
            const int root = call % world.size();
            INFO(each.name << ", " << policy.name << ", root " << root);
            check_gather(levels, policy, call, 0, root, own::apart);
            check_scatter(levels, policy, call, 0, root, own::in_place);
            check_gather(levels, policy, call, long_block, root, own::in_place);
            check_scatter(levels, policy, call, long_block, root, own::apart);
        }
    }
}

TEST_CASE("random machines") {
    const boost::mpi::communicator world;
    int combination = 0;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const auto each = topo_test::random_scenario(seed, world.size());
        const topo::hierarchy levels{world, each.on, each.rule, topo_test::random_options(seed)};
        for (const auto& policy : block_policies()) {
            if (topo_test::is_left_out(world.size(), combination++)) continue;
            const int root = static_cast<int>(seed) % world.size();
            INFO(each.name << ", " << policy.name << ", root " << root);
            check_gather(levels, policy, static_cast<int>(seed), 5, root, own::in_place);
            check_scatter(levels, policy, static_cast<int>(seed), 5, root, own::apart);
        }
    }
}

namespace {

/// Two ints with a gap of one between and of `behind` after them.
MPI_Datatype two_with_gaps(int behind) {
    MPI_Datatype pair = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, static_cast<MPI_Aint>(sizeof(int)) * (3 + behind), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Type_free(&pair);
    return spaced;
}

/// Two ints without a gap, of which MPI sends the second one first.
MPI_Datatype two_backwards() {
    const std::array lengths{1, 1}, places{1, 0};
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, &pair);
    MPI_Type_commit(&pair);
    return pair;
}

/// `elements` laid out in that type.
[[maybe_unused]] std::vector<int> backwards(std::vector<int> elements) {
    for (std::size_t i = 0; i + 1 < elements.size(); i += 2)
        std::swap(elements[i], elements[i + 1]);
    return elements;
}

/// `elements` laid out in that type, with gaps that no call may touch.
std::vector<int> spaced(const std::vector<int>& elements, std::size_t behind) {
    std::vector<int> laid_out(elements.size() / 2 * (3 + behind), untouched);
    for (std::size_t i = 0; i < elements.size(); ++i)
        laid_out[i / 2 * (3 + behind) + i % 2 * 2] = elements[i];
    return laid_out;
}

} // namespace

TEST_CASE("derived datatypes, another one on each side; gaps are left alone") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    MPI_Datatype narrow = two_with_gaps(0), wide = two_with_gaps(2), turned = two_backwards(),
                 none = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    int combination = 0;
    for (const auto& each : topo_test::scenarios(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        int call = 0;
        for (const auto& policy : block_policies()) {
            if (topo_test::is_left_out(ranks, combination++)) continue;
            const int root = ++call % ranks;
            INFO(each.name << ", " << policy.name << ", root " << root);
            const auto all = all_blocks(call, ranks, 6), own = block_of(call, rank, 6);
            auto mine = spaced(own, 0);
            auto result = spaced(std::vector<int>(all.size(), untouched), 2);
            policy.gather(levels, {mine.data(), 3, narrow}, {result.data(), wide, 3}, root);
            CHECK((rank != root || result == spaced(all, 2)));
            CHECK(mine == spaced(own, 0));

            auto source = spaced(all, 2);
            mine = spaced(std::vector<int>(own.size(), untouched), 0);
            policy.scatter(levels, {source.data(), wide, 3}, {mine.data(), 3, narrow}, root);
            CHECK(mine == spaced(own, 0));
            CHECK(source == spaced(all, 2));

            // The root's numbers as MPI_INT, the others' as elements of two.
            std::vector<int> plain(all.size(), untouched);
            policy.gather(levels, {mine.data(), 3, narrow}, {plain.data(), MPI_INT, 6}, root);
            CHECK((rank != root || plain == all));
            mine = spaced(std::vector<int>(own.size(), untouched), 0);
            policy.scatter(levels, {plain.data(), MPI_INT, 6}, {mine.data(), 3, narrow}, root);
            CHECK(mine == spaced(own, 0));

#ifndef SMPI_H // which sends others than these (tests/mpi_faults/turned_elements.cpp)
            // No gaps, but another order in memory.
            mine = backwards(own);
            plain.assign(all.size(), untouched);
            policy.gather(levels, {mine.data(), 3, turned}, {plain.data(), MPI_INT, 6}, root);
            CHECK((rank != root || plain == all));
            plain = backwards(all);
            mine.assign(own.size(), untouched);
            policy.scatter(levels, {plain.data(), turned, 3}, {mine.data(), 6, MPI_INT}, root);
            CHECK(mine == own);
            plain.assign(all.size(), untouched);
            policy.gather(levels, {mine.data(), 6, MPI_INT}, {plain.data(), turned, 3}, root);
            CHECK((rank != root || plain == backwards(all)));
            plain = all;
            mine.assign(own.size(), untouched);
            policy.scatter(levels, {plain.data(), MPI_INT, 6}, {mine.data(), 3, turned}, root);
            CHECK(mine == backwards(own));
#endif

            policy.gather(levels, {mine.data(), 5, none}, {plain.data(), none, 5}, root);
            policy.scatter(levels, {plain.data(), none, 5}, {mine.data(), 5, none}, root);
            CHECK((rank != root || plain == all));
        }
    }
    for (MPI_Datatype* type : {&narrow, &wide, &turned, &none})
        MPI_Type_free(type);
}

TEST_CASE("typed forms") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size(), root = ranks / 2;
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:2"),
                                 topo::placement::round_robin()};
    const auto all = all_blocks(1, ranks, 3);
    const auto mine = block_of(1, rank, 3);
    const bool is_root = rank == root;

    CHECK(topo::gather(levels, mine, root) == (is_root ? all : std::vector<int>{}));
    CHECK(topo::gather(levels, std::span{mine}, root, topo::chain{}) == (is_root ? all : std::vector<int>{}));
    CHECK(topo::gather(levels, mine, root, topo::flat{}) == (is_root ? all : std::vector<int>{}));
    std::vector<int> result(is_root ? all.size() : 0);
    topo::gather(levels, mine, result, root, topo::binomial{});
    CHECK((!is_root || result == all));

    if (is_root) { // its own block is there already
        const std::span here = std::span{result}.subspan(static_cast<std::size_t>(rank) * 3, 3);
        topo::gather(levels, here, result, root, topo::linear{});
        CHECK(result == all);
    } else {
        topo::gather(levels, mine, std::span<int>{}, root, topo::linear{});
    }

    const auto values = topo::gather(levels, rank * 1.5, root);
    CHECK(values.size() == (is_root ? static_cast<std::size_t>(ranks) : 0));
    for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(values[i] == static_cast<double>(i) * 1.5);
    std::vector<double> into(is_root ? values.size() : 0);
    topo::gather(levels, rank * 1.5, into, root, topo::k_ary<4>{});
    CHECK(into == values);

    CHECK((topo::scatter(levels, values, root) == rank * 1.5));
    double one = 0;
    topo::scatter(levels, values, one, root, topo::in_order_binary{});
    CHECK((one == rank * 1.5));
    std::array<int, 3> three{};
    topo::scatter(levels, result, three, root, topo::segmented<8, topo::binary>{});
    CHECK(std::vector(three.begin(), three.end()) == mine);
}

TEST_CASE("wrong arguments are refused where they are seen, before anything is sent") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    const std::vector<int> mine{1, 2};
    std::vector<int> all(static_cast<std::size_t>(ranks) * 2);
    for (const int root : {-1, ranks}) {
        check_fails<topo::argument_error>([&] { topo::gather(levels, mine, root); },
                                          {"topo::gather: root " + std::to_string(root), "ranks"});
        check_fails<topo::argument_error>([&] { topo::gather(levels, mine, all, root); },
                                          {"topo::gather: root"});
        check_fails<topo::argument_error>([&] { topo::scatter(levels, all, root); }, {"topo::scatter: root"});
    }
    // Only this rank calls: no rank receives.
    std::vector<int> small(all.size() - 1);
    check_fails<topo::argument_error>([&] { topo::gather(levels, mine, small, rank); },
                                      {"topo::gather: result: it has " + std::to_string(small.size()),
                                       "of 2 are " + std::to_string(all.size())});
    std::vector<int> two(2);
    check_fails<topo::argument_error>([&] { topo::scatter(levels, small, two, rank); },
                                      {"topo::scatter: elements: it has " + std::to_string(small.size())});
    check_fails<topo::argument_error>(
        [&] {
            topo::gather(levels, message{two.data(), 2, MPI_INT}, {all.data(), MPI_INT, 1}, rank);
        },
        {"topo::gather: mine: the root's own block has 8 bytes", "has 4"});
    check_fails<topo::argument_error>(
        [&] {
            topo::scatter(levels, {all.data(), MPI_INT, 1}, message{two.data(), 2, MPI_INT}, rank);
        },
        {"topo::scatter: mine", "8 bytes", "has 4"});
    const std::vector<std::size_t> counts(static_cast<std::size_t>(ranks), 2);
    check_fails<topo::argument_error>(
        [&] {
            topo::gather(levels, message{two.data(), 2, MPI_INT}, {all.data(), MPI_INT, 2, counts}, rank);
        },
        {"topo::gather: blocks", "topo::gatherv"});
    if (ranks > 1)
        check_fails<topo::argument_error>(
            [&] {
                topo::gather(levels, message{MPI_IN_PLACE, 2, MPI_INT}, {all.data(), MPI_INT, 2},
                             (rank + 1) % ranks);
            },
            {"topo::gather: mine: it is MPI_IN_PLACE on rank " + std::to_string(rank)});
    // And nothing is left behind that the next call could find.
    CHECK(topo::gather(levels, rank, 0).size() == (rank == 0 ? static_cast<std::size_t>(ranks) : 0));
}

} // namespace gather_scatter_tests
