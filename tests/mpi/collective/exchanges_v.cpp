// SPDX-License-Identifier: BSL-1.0
// all_gatherv and all_to_allv give what a serial loop gives: blocks of all lengths, anywhere, in place or
// not.
#include "support/block_policies.hpp"
#include "support/check_fails.hpp"
#include "support/for_each_algorithm.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/schedule/block_routes.hpp>
#include <topomp/algorithm/shared/aggregated_blocks.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/kept_blocks.hpp>
#include <topomp/collective/engines/k_ary_bruck.hpp>
#include <topomp/collective/iall_gatherv.hpp>
#include <topomp/collective/iall_to_allv.hpp>
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

namespace exchanges_v_tests {

using topo::blocks;
using topo::message;
using topo::detail::verb;
using topo_test::block_of;
using topo_test::check_fails;
using topo_test::for_each_algorithm;
using topo_test::is_served_in_background;
using topo_test::untouched;

namespace {

std::vector<std::size_t> longest_blocks(int ranks, std::size_t most) {
    if (ranks > 16) return {7};
    return {0, 1, 7, most};
}

struct gather_policy {
    std::string name;
    void (*all_gatherv)(const topo::hierarchy&, message, blocks);
    template <class Policy>
    static gather_policy of(std::string name) {
        return {std::move(name), [](const topo::hierarchy& levels, message mine, blocks result) {
                    topo::all_gatherv(levels, mine, result, Policy{});
                }};
    }
    template <class Policy>
    static gather_policy in_background_of(const std::string& name) {
        return {name + " in the background", [](const topo::hierarchy& levels, message mine, blocks result) {
                    topo::iall_gatherv(levels, mine, result, Policy{}).wait();
                }};
    }
};

const std::vector<gather_policy>& gather_policies() {
    using namespace topo;
    static const std::vector<gather_policy> policies = [] {
        std::vector<gather_policy> all{
            gather_policy::of<automatic>("automatic"),
            gather_policy::of<recursive_doubling>("recursive doubling"),
            gather_policy::of<binomial>("binomial"),
            gather_policy::of<segmented<100, per_level<on<kind::machine, linear>, otherwise<chain>>>>(
                "segmented, per level"),
            gather_policy::of<lanes<>>("lanes"),
            gather_policy::of<segmented<100, lanes<chain, binary>>>("lanes in segments"),
        };
        for_each_algorithm<verb::all_gatherv>([&]<class Policy>(const std::string& name) {
            all.push_back(gather_policy::of<Policy>(name));
            if constexpr (is_served_in_background<Policy>(verb::all_gatherv))
                all.push_back(gather_policy::in_background_of<Policy>(name));
        });
        return all;
    }();
    return policies;
}

struct exchange_policy {
    std::string name;
    void (*all_to_all)(const topo::hierarchy&, blocks, blocks);
    void (*all_to_allv)(const topo::hierarchy&, blocks, blocks);
    template <class Policy>
    static exchange_policy of(std::string name) {
        return {std::move(name),
                [](const topo::hierarchy& levels, blocks a, blocks b) {
                    topo::all_to_all(levels, a, b, Policy{});
                },
                [](const topo::hierarchy& levels, blocks a, blocks b) {
                    topo::all_to_allv(levels, a, b, Policy{});
                }};
    }
    /// With `automatic` for blocks of one length.
    template <class Policy>
    static exchange_policy of_v(std::string name) {
        exchange_policy made = of<topo::automatic>(std::move(name));
        made.all_to_allv = [](const topo::hierarchy& levels, blocks a, blocks b) {
            topo::all_to_allv(levels, a, b, Policy{});
        };
        return made;
    }
    /// The same, in place as the blocking one.
    template <class Policy>
    static exchange_policy in_background_of_v(const std::string& name) {
        exchange_policy made = of<topo::automatic>(name + " in the background");
        made.all_to_allv = [](const topo::hierarchy& levels, blocks a, blocks b) {
            if (a.data == MPI_IN_PLACE)
                topo::all_to_allv(levels, a, b, Policy{});
            else
                topo::iall_to_allv(levels, a, b, Policy{}).wait();
        };
        return made;
    }
};

/// Node by node in messages, as where nodes have no memory that their ranks share.
void all_to_allv_in_messages(const topo::hierarchy& levels, blocks a, blocks b) {
    namespace detail = topo::detail;
    auto& ranks = detail::context::of(levels);
    const blocks to = detail::with_positions(b);
    const auto run = [&](const blocks& from) {
        detail::start_routed(detail::all_to_allv_call{levels, ranks, from, to},
                             ranks.attached<detail::block_routes>().by_node(3),
                             topo::plan_of<topo::node_aggregated<3, 2048>>, detail::to_the_end{});
    };
    if (a.data == MPI_IN_PLACE)
        run(detail::copied_blocks{levels, to}.all());
    else
        run(detail::with_positions(a));
}

const std::vector<exchange_policy>& exchange_policies() {
    using namespace topo;
    static const std::vector<exchange_policy> policies = [] {
        std::vector<exchange_policy> all{
            exchange_policy::of<automatic>("automatic"),
            exchange_policy::of_v<k_ary_bruck<2, 1024>>("k_ary_bruck"),
            exchange_policy::of_v<k_ary_bruck<3, 65536>>("k_ary_bruck, long blocks too"),
            exchange_policy::of_v<node_aggregated<2, 1024>>("node_aggregated"),
            exchange_policy::of_v<node_aggregated<3, 65536>>("node_aggregated, long blocks too"),
            {"node_aggregated in messages",
             [](const topo::hierarchy& levels, blocks a, blocks b) { topo::all_to_all(levels, a, b); },
             &all_to_allv_in_messages},
        };
        for_each_algorithm<verb::all_to_allv>([&]<class Policy>(const std::string& name) {
            if constexpr (serves(topo::detail::algorithm_of<Policy>, verb::all_to_all))
                all.push_back(exchange_policy::of<Policy>(name));
            else
                all.push_back(exchange_policy::of_v<Policy>(name));
            if constexpr (is_served_in_background<Policy>(verb::all_to_allv))
                all.push_back(exchange_policy::in_background_of_v<Policy>(name));
        });
        return all;
    }();
    return policies;
}

/// How long each block is and where it lies in one rank's buffer.
struct arrangement {
    std::vector<std::size_t> counts;
    std::vector<std::size_t> positions; ///< empty: one behind the other
    std::size_t end = 0;

    /// @param holes blocks lie backwards, with room between them; else forwards without
    arrangement(std::vector<std::size_t> lengths, bool holes) : counts(std::move(lengths)) {
        for (const std::size_t count : counts)
            end += count;
        if (!holes) return;
        positions.resize(counts.size());
        end = 2;
        for (std::size_t i = counts.size(); i-- > 0;) {
            positions[i] = end;
            end += counts[i] + i % 3;
        }
    }

    std::size_t begin(int rank) const {
        std::size_t next = 0;
        for (int before = 0; before < rank; ++before)
            next += counts[static_cast<std::size_t>(before)];
        return positions.empty() ? next : positions[static_cast<std::size_t>(rank)];
    }
    /// Every block `make(rank, count)` in its place, what is between them untouched.
    template <class Make>
    std::vector<int> filled(Make make) const {
        std::vector<int> all(end, untouched);
        for (int rank = 0; static_cast<std::size_t>(rank) < counts.size(); ++rank)
            std::ranges::copy(make(rank, counts[static_cast<std::size_t>(rank)]), all.data() + begin(rank));
        return all;
    }
    blocks in(std::vector<int>& buffer) const { return {buffer.data(), MPI_INT, 0, counts, positions}; }
};

std::vector<std::size_t> lengths(int ranks, std::size_t longest) {
    std::vector<std::size_t> result;
    for (int rank = 0; rank < ranks; ++rank)
        result.push_back(static_cast<std::size_t>(rank * 5 + 3) % (longest + 1));
    return result;
}

/// Elements that `from` has for `to`.
std::size_t length(int from, int to, std::size_t longest) {
    return static_cast<std::size_t>(from * 7 + to * 3 + from * to) % (longest + 1);
}

/// Twice as long, with a gap behind each number.
std::vector<int> spread(const std::vector<int>& dense) {
    std::vector<int> result(dense.size() * 2, untouched);
    for (std::size_t i = 0; i < dense.size(); ++i)
        result[2 * i] = dense[i];
    return result;
}

void check_all_gatherv(const topo::hierarchy& levels, const gather_policy& policy, int call,
                       const std::vector<std::size_t>& counts, bool holes, bool in_place) {
    const int rank = levels.whole().rank();
    const arrangement layout{counts, holes};
    const auto mine_of = [&](int of, std::size_t count) { return block_of(call, of, count); };
    auto mine = mine_of(rank, layout.counts[static_cast<std::size_t>(rank)]);
    std::vector<int> result(layout.end, untouched);
    if (in_place) std::ranges::copy(mine, result.data() + layout.begin(rank));
    policy.all_gatherv(levels, {in_place ? MPI_IN_PLACE : mine.data(), mine.size(), MPI_INT},
                       layout.in(result));
    CHECK(result == layout.filled(mine_of));
}

void check_all_to_allv(const topo::hierarchy& levels, const exchange_policy& policy, int call,
                       std::size_t longest, bool holes) {
    const int me = levels.whole().rank(), ranks = levels.whole().size();
    std::vector<std::size_t> there, here;
    for (int other = 0; other < ranks; ++other) {
        there.push_back(length(me, other, longest));
        here.push_back(length(other, me, longest));
    }
    const arrangement from{there, holes}, to{here, holes && me % 2 == 0};
    auto source = from.filled([&](int rank, std::size_t n) { return block_of(call, me * ranks + rank, n); });
    const auto expected =
        to.filled([&](int rank, std::size_t n) { return block_of(call, rank * ranks + me, n); });
    std::vector<int> result(to.end, untouched);
    policy.all_to_allv(levels, from.in(source), to.in(result));
    CHECK(result == expected);
}

/// In place, the blocks of a pair have one length.
void check_in_place(const topo::hierarchy& levels, const exchange_policy& policy, int call,
                    std::size_t longest) {
    const int me = levels.whole().rank(), ranks = levels.whole().size();
    std::vector<std::size_t> counts;
    for (int other = 0; other < ranks; ++other)
        counts.push_back(length(std::min(me, other), std::max(me, other), longest));
    const arrangement layout{counts, true};
    auto result =
        layout.filled([&](int rank, std::size_t n) { return block_of(call, me * ranks + rank, n); });
    policy.all_to_allv(levels, {MPI_IN_PLACE}, layout.in(result));
    CHECK(result ==
          layout.filled([&](int rank, std::size_t n) { return block_of(call, rank * ranks + me, n); }));

    std::vector<int> equal;
    std::vector<int> expected;
    for (int other = 0; other < ranks; ++other) {
        std::ranges::copy(block_of(call, me * ranks + other, longest), std::back_inserter(equal));
        std::ranges::copy(block_of(call, other * ranks + me, longest), std::back_inserter(expected));
    }
    policy.all_to_all(levels, {MPI_IN_PLACE}, {equal.data(), MPI_INT, longest});
    CHECK(equal == expected);
}

} // namespace

TEST_CASE("all_gatherv by every policy on every machine") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        int call = 0;
        for (const auto& policy : gather_policies()) {
            INFO(each.name << ", " << policy.name);
            for (const std::size_t longest : longest_blocks(world.size(), 9001)) {
                const auto counts = lengths(world.size(), longest);
                check_all_gatherv(levels, policy, ++call, counts, false, false);
                check_all_gatherv(levels, policy, ++call, counts, true, true);
                check_all_gatherv(levels, policy, ++call, counts, world.rank() % 2 == 1, false);
            }
            // One block is much longer than the others, of which some are empty.
            auto counts = lengths(world.size(), 4);
            counts[counts.size() / 2] = world.size() > 16 ? 3001 : 10007;
            check_all_gatherv(levels, policy, ++call, counts, world.rank() % 2 == 1, false);
            check_all_gatherv(levels, policy, ++call, counts, true, true);
        }
    }
}

/// With as few ranks as these tests have, `automatic` never does so.
TEST_CASE("all_gatherv through the memory of nodes, one node after the other") {
    // It needs positions, which the verb adds.
    const gather_policy in_turn{"in turn", [](const topo::hierarchy& levels, message mine, blocks result) {
                                    if (!topo::detail::aggregated_blocks{levels}.all_gatherv(result, 1))
                                        topo::all_gatherv(levels, mine, result);
                                }};
    const boost::mpi::communicator world;
    const auto ranks = static_cast<std::size_t>(world.size());
    const std::vector<std::size_t> equal(ranks, 20000);
    std::vector<std::size_t> unequal;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        unequal.push_back(rank % 5 == 2 ? 0 : 20000 - 77 * rank);
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        INFO(each.name);
        check_all_gatherv(levels, in_turn, 1, equal, true, true);
        check_all_gatherv(levels, in_turn, 2, unequal, true, true);
    }
}

TEST_CASE("all_to_allv by every policy on every machine") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        int call = 0;
        for (const auto& policy : exchange_policies()) {
            INFO(each.name << ", " << policy.name);
            for (const std::size_t longest : longest_blocks(world.size(), 5003)) {
                check_all_to_allv(levels, policy, ++call, longest, false);
                check_all_to_allv(levels, policy, ++call, longest, true);
                check_in_place(levels, policy, ++call, longest);
            }
        }
    }
}

TEST_CASE("long blocks both ways at the same time, which the MPI sends only once they are awaited") {
    const boost::mpi::communicator world;
    const int me = world.rank(), ranks = world.size();
    const std::size_t count = ranks > 16 ? 700 : 9001;
    const arrangement layout{std::vector<std::size_t>(static_cast<std::size_t>(ranks), count), false};
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const auto& policy : exchange_policies()) {
            INFO(each.name << ", " << policy.name);
            auto source =
                layout.filled([&](int to, std::size_t n) { return block_of(3, me * ranks + to, n); });
            std::vector<int> result(layout.end, untouched);
            policy.all_to_allv(levels, layout.in(source), layout.in(result));
            CHECK(result ==
                  layout.filled([&](int from, std::size_t n) { return block_of(3, from * ranks + me, n); }));
        }
    }
}

TEST_CASE("derived datatypes with gaps, in blocks with holes, not the same on all ranks") {
    const boost::mpi::communicator world;
    const int me = world.rank(), ranks = world.size();
    MPI_Datatype sparse = MPI_DATATYPE_NULL; // an int and room for one more
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
    MPI_Type_commit(&sparse);
    const bool is_sparse = me % 3 != 1;
    const auto laid_out = [&](const std::vector<int>& all) { return is_sparse ? spread(all) : all; };
    const auto type = is_sparse ? sparse : MPI_INT;
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const auto& policy : gather_policies()) {
            INFO(each.name << ", " << policy.name);
            const arrangement layout{lengths(ranks, 70), true};
            const auto mine_of = [](int of, std::size_t count) { return block_of(1, of, count); };
            auto mine = mine_of(me, layout.counts[static_cast<std::size_t>(me)]);
            auto result = laid_out(std::vector<int>(layout.end, untouched));
            policy.all_gatherv(levels, {mine.data(), mine.size(), MPI_INT},
                               {result.data(), type, 0, layout.counts, layout.positions});
            CHECK(result == laid_out(layout.filled(mine_of)));
        }
        for (const auto& policy : exchange_policies()) {
            INFO(each.name << ", " << policy.name);
            const arrangement layout{std::vector<std::size_t>(static_cast<std::size_t>(ranks), 5), true};
            const auto source_of = [&](int to, std::size_t n) { return block_of(2, me * ranks + to, n); };
            const auto result_of = [&](int from, std::size_t n) { return block_of(2, from * ranks + me, n); };
            auto source = layout.filled(source_of);
            auto result = laid_out(std::vector<int>(layout.end, untouched));
            policy.all_to_allv(levels, layout.in(source),
                               {result.data(), type, 0, layout.counts, layout.positions});
            CHECK(result == laid_out(layout.filled(result_of)));
            auto in_place = laid_out(layout.filled(source_of));
            policy.all_to_allv(levels, {MPI_IN_PLACE},
                               {in_place.data(), type, 0, layout.counts, layout.positions});
            CHECK(in_place == result);
        }
    }
    MPI_Type_free(&sparse);
}

TEST_CASE("what MPI's own calls cannot count goes another way") {
    const boost::mpi::communicator world;
    const int me = world.rank(), ranks = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    auto& context = topo::detail::context::of(levels);
    for (const std::size_t longest : {0U, 12U, 1000U})
        for (const std::size_t last : {std::size_t{0}, std::size_t{10}, std::size_t{INT_MAX}}) {
            INFO("blocks up to " << longest << " bytes, positions up to " << last);
            topo::detail::flat_limits limits{world};
            limits.block_bytes = longest; // bytes: blocks of up to 3 numbers, and longer ones
            limits.position = last;
            std::vector<std::size_t> there, here;
            for (int other = 0; other < ranks; ++other) {
                there.push_back(length(me, other, 9));
                here.push_back(length(other, me, 9));
            }
            const arrangement from{there, true}, to{here, true};
            auto source =
                from.filled([&](int rank, std::size_t n) { return block_of(1, me * ranks + rank, n); });
            std::vector<int> result(to.end, untouched);
            topo::detail::flat_all_to_allv(context, from.in(source), to.in(result), limits);
            CHECK(result ==
                  to.filled([&](int rank, std::size_t n) { return block_of(1, rank * ranks + me, n); }));

            const arrangement layout{lengths(ranks, 9), true};
            const auto mine_of = [](int of, std::size_t count) { return block_of(2, of, count); };
            std::vector<int> all(layout.end, untouched);
            std::ranges::copy(mine_of(me, layout.counts[static_cast<std::size_t>(me)]),
                              all.data() + layout.begin(me));
            topo::detail::flat_all_gatherv(context, layout.in(all), {INT_MAX, last});
            CHECK(all == layout.filled(mine_of));
        }
}

TEST_CASE("typed forms") {
    const boost::mpi::communicator world;
    const int me = world.rank(), ranks = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:2"),
                                 topo::placement::round_robin()};
    const arrangement row{lengths(ranks, 6), false}, anywhere{lengths(ranks, 6), true};
    const auto mine_of = [](int of, std::size_t count) { return block_of(3, of, count); };
    const auto mine = mine_of(me, row.counts[static_cast<std::size_t>(me)]);
    std::vector<int> result(row.end), apart(anywhere.end, untouched);
    topo::all_gatherv(levels, mine, result, row.counts);
    CHECK(result == row.filled(mine_of));
    topo::all_gatherv(levels, mine, result, row.counts, topo::ring{});
    CHECK(result == row.filled(mine_of));
    topo::all_gatherv(levels, mine, apart, anywhere.counts, anywhere.positions);
    CHECK(apart == anywhere.filled(mine_of));
    std::ranges::fill(apart, untouched);
    topo::all_gatherv(levels, mine, apart, anywhere.counts, anywhere.positions, topo::binomial{});
    CHECK(apart == anywhere.filled(mine_of));
    for (const auto& all : {topo::all_gatherv(levels, mine), topo::all_gatherv(levels, mine, topo::flat{}),
                            topo::all_gatherv(levels, mine, topo::bruck{})}) {
        CHECK(all.values == result);
        CHECK(all.counts == row.counts);
        for (int rank = 0; rank < ranks; ++rank)
            CHECK(std::vector(all[rank].begin(), all[rank].end()) ==
                  mine_of(rank, row.counts[static_cast<std::size_t>(rank)]));
    }

    std::vector<std::size_t> there, here;
    for (int other = 0; other < ranks; ++other) {
        there.push_back(length(me, other, 4));
        here.push_back(length(other, me, 4));
    }
    const arrangement from{there, false}, to{here, false}, from_holes{there, true}, to_holes{here, true};
    const auto out = [&](int rank, std::size_t n) { return block_of(4, me * ranks + rank, n); };
    const auto in = [&](int rank, std::size_t n) { return block_of(4, rank * ranks + me, n); };
    const auto source = from.filled(out), source_holes = from_holes.filled(out);
    std::vector<int> come(to.end), come_holes(to_holes.end, untouched);
    topo::all_to_allv(levels, source, there, come, here);
    CHECK(come == to.filled(in));
    topo::all_to_allv(levels, source_holes, there, from_holes.positions, come_holes, here, to_holes.positions,
                      topo::pairwise{});
    CHECK(come_holes == to_holes.filled(in));
    for (const auto& all : {topo::all_to_allv(levels, source, there),
                            topo::all_to_allv(levels, source, there, topo::pairwise{}),
                            topo::all_to_allv(levels, source, there, topo::k_ary_bruck<>{}),
                            topo::all_to_allv(levels, source, there, topo::node_aggregated<>{})}) {
        CHECK(all.values == come);
        CHECK(all.counts == here);
    }
}

TEST_CASE("wrong arguments are refused where they are seen") {
    const boost::mpi::communicator world;
    const auto ranks = static_cast<std::size_t>(world.size());
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    const std::vector<std::size_t> counts(ranks, 2), too_many(ranks + 1, 2);
    const std::vector<int> two{1, 2};
    std::vector<int> all(ranks * 2), small(all.size() - 1);
    const auto missing = "there are " + std::to_string(ranks + 1);
    using error = topo::argument_error;
    const auto refused = [&](auto call, const std::string& why, const std::string& more) {
        if (world.rank() == 0) check_fails<error>(call, {why, more}); // only this rank calls
    };
    refused([&] { topo::all_gatherv(levels, two, all, too_many); }, "topo::all_gatherv: counts: ", missing);
    refused([&] { topo::all_gatherv(levels, two, all, counts, too_many); },
            "topo::all_gatherv: positions: ", missing);
    refused([&] { topo::all_gatherv(levels, two, small, counts); },
            "topo::all_gatherv: result: it has " + std::to_string(small.size()),
            "end at " + std::to_string(all.size()));
    refused([&] { topo::all_gatherv(levels, std::span{two}.first(1), all, counts); },
            "topo::all_gatherv: mine: this rank's own block has 4 bytes", "has 8");
    refused([&] { topo::all_to_allv(levels, all, too_many, all, counts); },
            "topo::all_to_allv: counts: ", missing);
    refused([&] { topo::all_to_allv(levels, small, counts, all, counts); },
            "topo::all_to_allv: elements: it has " + std::to_string(small.size()), "end at");
    refused([&] { topo::all_to_allv(levels, all, counts, small, counts); },
            "topo::all_to_allv: result: it has " + std::to_string(small.size()), "end at");
    refused([&] { topo::all_to_allv(levels, small, too_many); }, "topo::all_to_allv: counts: ", missing);
    std::vector<std::size_t> other = counts;
    other[0] = 1;
    refused([&] { topo::all_to_allv(levels, all, counts, all, other); },
            "topo::all_to_allv: mine: this rank's own block has 8 bytes", "has 4");
    refused(
        [&] {
            topo::all_to_all(levels, {MPI_IN_PLACE}, blocks{all.data(), MPI_INT, 0, counts});
        },
        "topo::all_to_all: blocks", "use topo::all_to_allv");
}

} // namespace exchanges_v_tests
