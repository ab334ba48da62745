// SPDX-License-Identifier: BSL-1.0
// gatherv and scatterv give what a serial loop gives: blocks of all lengths, anywhere, with holes between
// them.
#include "support/block_policies.hpp"
#include "support/check_fails.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/igatherv.hpp>
#include <topomp/collective/iscatterv.hpp>
#include <topomp/collective/scatterv.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <climits>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gather_scatter_v_tests {

using topo::blocks;
using topo::message;
using topo_test::block_of;
using topo_test::block_policies;
using topo_test::check_fails;
using topo_test::roots_to_try;
using topo_test::untouched;

namespace {

/// How long each block is and where it lies, the same on all ranks.
struct arrangement {
    std::vector<std::size_t> counts;
    std::vector<std::size_t> positions; ///< empty: one behind the other
    std::size_t end = 0;

    std::size_t count_of(int rank) const { return counts[static_cast<std::size_t>(rank)]; }

    /// All blocks in their places, what is between them untouched.
    std::vector<int> filled(int call) const {
        std::vector<int> all(end, untouched);
        std::size_t next = 0;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            const auto block = block_of(call, static_cast<int>(rank), counts[rank]);
            std::ranges::copy(block, all.data() + (positions.empty() ? next : positions[rank]));
            next += counts[rank];
        }
        return all;
    }
};

/// Lengths 0, 1 and up to `longest`; some ranks have nothing.
arrangement dense(int ranks, std::size_t longest) {
    arrangement result;
    for (int rank = 0; rank < ranks; ++rank) {
        result.counts.push_back(static_cast<std::size_t>(rank * 5 + 3) % (longest + 1));
        result.end += result.counts.back();
    }
    return result;
}

/// The same lengths backwards, with holes.
arrangement with_holes(int ranks, std::size_t longest) {
    arrangement result = dense(ranks, longest);
    result.positions.resize(result.counts.size());
    result.end = 2;
    for (std::size_t rank = result.counts.size(); rank-- > 0;) {
        result.positions[rank] = result.end;
        result.end += result.counts[rank] + rank % 3;
    }
    return result;
}

enum class own { apart, in_place };

void check_gatherv(const topo::hierarchy& levels, const topo_test::block_policy& policy, int call,
                   const arrangement& layout, int root, own where) {
    const int rank = levels.whole().rank();
    const bool is_root = rank == root, in_place = is_root && where == own::in_place;
    auto mine = block_of(call, rank, layout.count_of(rank));
    std::vector<int> result(is_root ? layout.end : 0, untouched);
    const auto expected = layout.filled(call);
    if (in_place) {
        std::size_t first = 0;
        for (int other = 0; other < rank; ++other)
            first += layout.count_of(other);
        if (!layout.positions.empty()) first = layout.positions[static_cast<std::size_t>(rank)];
        std::ranges::copy(mine, result.data() + first);
    }
    blocks all{result.data(), MPI_INT};
    if (is_root) all = {result.data(), MPI_INT, 0, layout.counts, layout.positions};
    policy.gatherv(levels, {in_place ? MPI_IN_PLACE : mine.data(), mine.size(), MPI_INT}, all, root);
    CHECK((!is_root || result == expected));
    CHECK(mine == block_of(call, rank, mine.size()));
}

void check_scatterv(const topo::hierarchy& levels, const topo_test::block_policy& policy, int call,
                    const arrangement& layout, int root, own where) {
    const int rank = levels.whole().rank();
    const bool is_root = rank == root, in_place = is_root && where == own::in_place;
    auto source = is_root ? layout.filled(call) : std::vector<int>{};
    std::vector<int> mine(layout.count_of(rank), untouched);
    blocks all{source.data(), MPI_INT};
    if (is_root) all = {source.data(), MPI_INT, 0, layout.counts, layout.positions};
    policy.scatterv(levels, all, {in_place ? MPI_IN_PLACE : mine.data(), mine.size(), MPI_INT}, root);
    CHECK((in_place || mine == block_of(call, rank, mine.size())));
    CHECK((!is_root || source == layout.filled(call)));
}

} // namespace

TEST_CASE("every policy, machine and root, blocks of all lengths, anywhere") {
    const boost::mpi::communicator world;
    const int ranks = world.size();
    const arrangement nothing = dense(ranks, 0), some = dense(ranks, 7), anywhere = with_holes(ranks, 9),
                      much = with_holes(ranks, 30'011);
    int turn = 0;
    for (const auto& each : topo_test::scenarios(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        if (block_policies().size() % 2 == 0) ++turn; // so that each gets the other roots on the next machine
        int call = 0;
        for (const auto& policy : block_policies()) {
            for (const int root : roots_to_try(ranks, ++turn)) {
                INFO(each.name << ", " << policy.name << ", root " << root);
                const arrangement& layout = ++call % 2 == 0 ? some : anywhere;
                check_gatherv(levels, policy, call, layout, root, call % 3 == 0 ? own::in_place : own::apart);
                check_scatterv(levels, policy, call, layout, root,
                               call % 3 == 1 ? own::in_place : own::apart);
            }
            const int root = call % ranks;
            INFO(each.name << ", " << policy.name << ", root " << root);
            check_gatherv(levels, policy, call, nothing, root, own::in_place);
            check_scatterv(levels, policy, call, nothing, root, own::apart);
            check_gatherv(levels, policy, call, much, root, own::in_place);
            check_scatterv(levels, policy, call, much, root, own::apart);
        }
    }
}

TEST_CASE("derived datatypes with gaps, in blocks with holes") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    MPI_Datatype sparse = MPI_DATATYPE_NULL; // an int and room for one more
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
    MPI_Type_commit(&sparse);
    const arrangement layout = with_holes(ranks, 6);
    const auto spread = [](const std::vector<int>& dense_elements) {
        std::vector<int> result(dense_elements.size() * 2, untouched);
        for (std::size_t i = 0; i < dense_elements.size(); ++i)
            result[2 * i] = dense_elements[i];
        return result;
    };
    for (const auto& each : topo_test::scenarios(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        int call = 0;
        for (const auto& policy : block_policies()) {
            const int root = ++call % ranks;
            INFO(each.name << ", " << policy.name << ", root " << root);
            auto mine = block_of(call, rank, layout.count_of(rank));
            auto result = spread(std::vector<int>(layout.end, untouched));
            policy.gatherv(levels, {mine.data(), mine.size(), MPI_INT},
                           {result.data(), sparse, 0, layout.counts, layout.positions}, root);
            CHECK((rank != root || result == spread(layout.filled(call))));

            auto source = spread(layout.filled(call));
            std::ranges::fill(mine, untouched);
            policy.scatterv(levels, {source.data(), sparse, 0, layout.counts, layout.positions},
                            {mine.data(), mine.size(), MPI_INT}, root);
            CHECK(mine == block_of(call, rank, mine.size()));
        }
    }
    MPI_Type_free(&sparse);
}

TEST_CASE("what MPI's own call cannot count goes another way") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    auto& context = topo::detail::context::of(levels);
    const arrangement layout = with_holes(ranks, 9);
    for (const std::size_t longest : {0U, 12U, 1000U}) {
        for (const std::size_t last : {std::size_t{0}, std::size_t{10}, std::size_t{INT_MAX}}) {
            topo::detail::flat_limits limits{world};
            CHECK(limits.block_bytes * static_cast<std::size_t>(ranks) <= INT_MAX);
            limits.block_bytes = longest; // bytes: blocks of up to 3 numbers, and longer ones
            limits.position = last;
            const int root = static_cast<int>((longest + last) % static_cast<std::size_t>(ranks));
            INFO("blocks up to " << longest << " bytes, positions up to " << last << ", root " << root);
            auto mine = block_of(1, rank, layout.count_of(rank));
            const message own{mine.data(), mine.size(), MPI_INT};
            std::vector<int> all(layout.end, untouched);
            const blocks result{all.data(), MPI_INT, 0, layout.counts, layout.positions};
            topo::detail::flat_gatherv(context, own, result, root, limits);
            CHECK((rank != root || all == layout.filled(1)));
            std::ranges::fill(mine, untouched);
            topo::detail::flat_scatterv(context, result, own, root, limits);
            CHECK(mine == block_of(1, rank, layout.count_of(rank)));
        }
    }
}

TEST_CASE("typed forms") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size(), root = ranks - 1;
    const bool is_root = rank == root;
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:2"),
                                 topo::placement::round_robin()};
    const arrangement in_row = dense(ranks, 6), anywhere = with_holes(ranks, 6);
    const auto mine = block_of(3, rank, in_row.count_of(rank));
    const std::vector<std::size_t> no_ranks;

    std::vector<int> result(is_root ? in_row.end : 0);
    topo::gatherv(levels, mine, result, is_root ? in_row.counts : no_ranks, root);
    CHECK((!is_root || result == in_row.filled(3)));
    std::vector<int> apart(is_root ? anywhere.end : 0, untouched);
    topo::gatherv(levels, mine, apart, is_root ? anywhere.counts : no_ranks,
                  is_root ? anywhere.positions : no_ranks, root, topo::binomial{});
    CHECK((!is_root || apart == anywhere.filled(3)));

    const auto all = topo::gatherv(levels, mine, root);
    const auto same = topo::gatherv(levels, mine, root, topo::flat{});
    CHECK(all.values == result);
    CHECK(same.values == result);
    CHECK(all.counts == (is_root ? in_row.counts : no_ranks));
    CHECK(same.positions == all.positions);
    if (is_root)
        for (int other = 0; other < ranks; ++other)
            CHECK(std::vector(all[other].begin(), all[other].end()) ==
                  block_of(3, other, in_row.count_of(other)));

    std::vector<int> back(mine.size());
    topo::scatterv(levels, result, is_root ? in_row.counts : no_ranks, back, root, topo::chain{});
    CHECK(back == mine);
    std::ranges::fill(back, untouched);
    topo::scatterv(levels, apart, is_root ? anywhere.counts : no_ranks,
                   is_root ? anywhere.positions : no_ranks, back, root, topo::flat{});
    CHECK(back == mine);
    CHECK(topo::scatterv(levels, result, is_root ? in_row.counts : no_ranks, root) == mine);
    CHECK(topo::scatterv(levels, result, is_root ? in_row.counts : no_ranks, root, topo::flat{}) == mine);
    CHECK(topo::scatterv(levels, all, root, topo::k_ary<3>{}) == mine);
}

TEST_CASE("wrong arguments are refused where they are seen") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    const std::vector<std::size_t> counts(static_cast<std::size_t>(ranks), 2),
        too_many(static_cast<std::size_t>(ranks) + 1, 2);
    std::vector<int> two{1, 2}, all(static_cast<std::size_t>(ranks) * 2), small(all.size() - 1);
    const auto missing = "there are " + std::to_string(ranks + 1);
    check_fails<topo::argument_error>([&] { topo::gatherv(levels, two, all, counts, ranks); },
                                      {"topo::gatherv: root " + std::to_string(ranks)});
    check_fails<topo::argument_error>([&] { topo::gatherv(levels, two, -1); }, {"topo::gatherv: root -1"});
    check_fails<topo::argument_error>([&] { topo::scatterv(levels, all, counts, ranks); },
                                      {"topo::scatterv: root " + std::to_string(ranks)});
    // Only this rank calls.
    check_fails<topo::argument_error>([&] { topo::gatherv(levels, two, all, too_many, rank); },
                                      {"topo::gatherv: counts: ", missing});
    check_fails<topo::argument_error>([&] { topo::gatherv(levels, two, all, counts, too_many, rank); },
                                      {"topo::gatherv: positions: ", missing});
    check_fails<topo::argument_error>([&] { topo::gatherv(levels, two, small, counts, rank); },
                                      {"topo::gatherv: result: it has " + std::to_string(small.size()),
                                       "end at " + std::to_string(all.size())});
    check_fails<topo::argument_error>(
        [&] { topo::gatherv(levels, std::span{two}.first(1), all, counts, rank); },
        {"topo::gatherv: mine: the root's own block has 4 bytes", "has 8"});
    check_fails<topo::argument_error>([&] { topo::scatterv(levels, small, counts, two, rank); },
                                      {"topo::scatterv: elements: it has " + std::to_string(small.size())});
    check_fails<topo::argument_error>([&] { topo::scatterv(levels, all, too_many, rank); },
                                      {"topo::scatterv: counts: ", missing});
}

TEST_CASE("another rank's wrong length is found along a tree, and no rank hangs") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size(), root = 0, wrong = ranks - 1;
    if (ranks == 1) return;
    for (const auto& each : topo_test::scenarios(ranks)) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        const std::vector<std::size_t> counts(static_cast<std::size_t>(ranks), 2);
        std::vector<int> mine(rank == wrong ? 3 : 2, rank),
            all(static_cast<std::size_t>(ranks) * 2, untouched);
        const auto check_gather = [&](const std::string& call, const auto& gather) {
            if (rank == root)
                check_fails<topo::argument_error>(
                    gather,
                    {call + ": counts: rank " + std::to_string(wrong) + " sends 12 bytes", "stands for 8"});
            else
                gather();
        };
        check_gather("topo::gatherv",
                     [&] { topo::gatherv(levels, mine, all, counts, root, topo::binomial{}); });
        check_gather("topo::igatherv",
                     [&] { topo::igatherv(levels, mine, all, counts, root, topo::binomial{}).wait(); });
        CHECK(std::ranges::count(all, untouched) == std::ssize(all));
        const auto check_scatter = [&](const std::string& call, const auto& scatter) {
            if (rank == wrong)
                check_fails<topo::argument_error>(scatter,
                                                  {call + ": mine: it has room for 12 bytes", "sends 8"});
            else
                scatter();
        };
        check_scatter("topo::scatterv",
                      [&] { topo::scatterv(levels, all, counts, mine, root, topo::linear{}); });
        check_scatter("topo::iscatterv",
                      [&] { topo::iscatterv(levels, all, counts, mine, root, topo::linear{}).wait(); });
        CHECK(mine == std::vector<int>(mine.size(), rank == wrong ? rank : untouched));
    }
}

} // namespace gather_scatter_v_tests
