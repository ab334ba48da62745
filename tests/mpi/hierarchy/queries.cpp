// SPDX-License-Identifier: BSL-1.0
// Questions to a hierarchy: which rank is where, what do ranks share, what is called what.
#include "support/check_levels.hpp"
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace queries_tests {

using boost::mpi::communicator;
using topo::kind;
using topo_test::compare;
using topo_test::members;

namespace {

using outline_path = std::vector<const topo::outline::communicator*>;

/// The communicators of an outline that all these ranks are in, the whole first.
outline_path shared_by(const topo::outline& all, std::span<const int> ranks) {
    outline_path path;
    for (const auto& each : all.communicators)
        if (std::ranges::all_of(ranks, [&](int r) { return std::ranges::binary_search(each.ranks, r); }))
            path.push_back(&each);
    return path;
}

/// Some ranks, the same on all ranks; all where there are few and questions are quick.
std::vector<int> some_ranks(int size) {
    std::vector<int> ranks;
    for (int rank = 0; rank < size; rank += 1 + size / (topo_test::stride < 8 ? 9 : 3))
        ranks.push_back(rank);
    return ranks;
}

/// Ranks of a level and ranks of the whole.
void check_translation(const topo::hierarchy& levels) {
    for (int depth = 0; depth < levels.depth(); ++depth) {
        const auto expected = members(levels[depth].comm(), levels.whole());
        for (int rank = 0; rank < levels[depth].size(); ++rank)
            CHECK(topo::whole_rank(levels, depth, rank) == expected[static_cast<std::size_t>(rank)]);
        for (int rank = 0; rank < levels.whole().size(); ++rank) {
            const auto found = std::ranges::find(expected, rank);
            const auto wanted = found == expected.end() ? -1 : static_cast<int>(found - expected.begin());
            CHECK(topo::level_rank(levels, depth, rank).value_or(-1) == wanted);
        }
    }
}

/// Where a rank is, and back.
void check_locations(const topo::hierarchy& levels, const std::vector<topo::place>& places) {
    const auto all = topo::outline::of(places);
    for (const int rank : some_ranks(levels.whole().size())) {
        std::vector<topo::position> expected;
        std::vector<int> indices;
        for (const auto* each : shared_by(all, std::array{rank})) {
            if (each->depth < 0) continue;
            const auto at = std::ranges::find(each->ranks, rank) - each->ranks.begin();
            expected.push_back({each->index, static_cast<int>(at)});
            indices.push_back(each->index);
        }
        CHECK((topo::locate(levels, rank) == expected));
        while (!indices.empty()) { // from every level that it is in
            const auto back = topo::whole_rank(levels, indices, expected[indices.size() - 1].rank);
            CHECK((back == rank));
            indices.pop_back();
        }
    }
    const int none = levels.whole().size();
    CHECK((topo::whole_rank(levels, std::vector<int>{}, 0) == std::nullopt));
    CHECK((topo::whole_rank(levels, std::array{none}, 0) == std::nullopt));
    CHECK((topo::whole_rank(levels, std::array{0}, none) == std::nullopt));
    const std::vector<int> too_deep(static_cast<std::size_t>(levels.max_depth()) + 1, 0);
    CHECK((topo::whole_rank(levels, too_deep, 0) == std::nullopt));
}

/// The smallest object that the places of ranks have in common; the core where that is its PU.
kind smallest_shared(const std::vector<topo::place>& places, const std::vector<int>& ranks) {
    const auto path_of = [&](int rank) { return places[static_cast<std::size_t>(rank)].path(); };
    auto shared = path_of(ranks.front());
    for (const int rank : ranks) {
        const auto path = path_of(rank);
        shared.erase(std::ranges::mismatch(shared, path).in1, shared.end());
    }
    if (shared.empty()) return kind::cluster;
    const bool is_in_core =
        std::ranges::find(shared, kind::core, &topo::hardware_object::kind) != shared.end();
    if (is_in_core) return kind::core;
    kind lowest = shared.back().kind; // of those with the same processing units
    for (auto at = shared.end() - 1; at != shared.begin() && at->fills_outer; --at)
        lowest = std::max(lowest, (at - 1)->kind);
    return lowest;
}

/// The lowest level that ranks share.
void check_lowest_shared(const topo::hierarchy& levels, const std::vector<topo::place>& places) {
    const auto all = topo::outline::of(places);
    const int mine = levels.whole().rank();
    const auto check = [&](const std::vector<int>& ranks) {
        const auto node = topo::lowest_shared_node(levels, ranks);
        const std::string type = topo::lowest_shared_type(levels, ranks);
        if (std::ranges::find(ranks, mine) == ranks.end()) {
            CHECK((node == std::nullopt));
            CHECK(type == "Unknown");
            return;
        }
        const auto path = shared_by(all, ranks);
        CHECK((node == static_cast<int>(path.size()) - 1));
        CHECK(type == topo::to_string(smallest_shared(places, ranks)));
    };
    check({});
    check({mine});
    check({mine, mine});
    check({(mine + 1) % levels.whole().size()});
    for (int other = 0; other < levels.whole().size(); ++other) {
        check({mine, other});
        check({other, mine, (mine + other) / 2});
    }
    topo_test::dice roll{7u + static_cast<unsigned>(mine)}; // local: each rank may ask something else
    for (int question = 0; question < 20; ++question) {
        std::vector<int> ranks;
        for (int i = roll.up_to(5); i >= 0; --i)
            ranks.push_back(roll.up_to(levels.whole().size() - 1));
        check(ranks);
    }
}

/// How deep two ranks are together.
void check_shared_depths(const topo::hierarchy& levels, const std::vector<topo::place>& places) {
    const auto all = topo::outline::of(places);
    const auto ranks = some_ranks(levels.whole().size());
    for (const int a : ranks)
        for (const int b : ranks) {
            const int expected = static_cast<int>(shared_by(all, std::array{a, b}).size()) - 1;
            CHECK(topo::shared_depth(levels, a, b) == expected);
        }
}

/// Paper 4's nodes, depth and greatest depth.
void check_nodes(const topo::hierarchy& levels, const std::vector<topo::place>& places) {
    const auto all = topo::outline::of(places);
    const auto mine = shared_by(all, std::array{levels.whole().rank()});
    CHECK(levels.depth() == static_cast<int>(mine.size()) - 1);
    CHECK(levels.max_depth() == all.max_depth());
    CHECK(compare(levels.node(0), levels.whole()) == MPI_IDENT);
    for (int i = 1; i <= levels.depth(); ++i)
        CHECK(compare(levels.node(i), levels[i - 1].comm()) == MPI_IDENT);
    for (int i = 0; i <= std::min(levels.depth(), static_cast<int>(mine.size()) - 1); ++i)
        CHECK(members(levels.node(i), levels.whole()) == mine[static_cast<std::size_t>(i)]->ranks);
}

/// The level of a kind.
void check_kinds(const topo::hierarchy& levels, const std::vector<topo::place>& places) {
    const auto all = topo::outline::of(places);
    const auto mine = shared_by(all, std::array{levels.whole().rank()});
    for (const auto& row : topo::detail::kind_names) {
        const kind which = row.which;
        int expected = -1;
        for (const auto* each : mine)
            if (each->depth >= 0 && (each->type == which || std::ranges::count(each->also, which) > 0 ||
                                     std::ranges::count(each->ranks_within, which) > 0))
                expected = each->depth;
        INFO(std::string{row.name} << ", kind::" << std::string{row.enumerator});
        const topo::level* found = levels.find(which);
        CHECK((found == nullptr ? -1 : found->depth()) == expected);
    }
}

} // namespace

TEST_CASE("names of what is shared") {
    const communicator world;
    const bool is_in = world.size() >= 7 && world.rank() < 7;
    const communicator seven = world.split(is_in ? 0 : 1);
    if (!is_in) return;
    // 0 1 on one core's node a under switch x, 2 on its other package, 3 on node b under x, 4 5 under y, 6 z
    const auto on = topo::machine::parse("switch:1 node:2 package:2 core:1; switch:2 core:1");
    const std::vector<topo::seat> seats{{0, topo_test::cpus(0, 0)},
                                        {0, topo_test::cpus(0, 0)},
                                        {0, topo_test::cpus(1, 1)},
                                        {1, {}},
                                        {2, {}},
                                        {2, {}},
                                        {3, {}}};
    const topo::hierarchy levels{seven, on, topo::placement::list(seats)};
    const std::vector<std::pair<std::vector<int>, std::string>> questions{
        {{0, 1}, "Core"},   {{0, 2}, "Machine"},          {{0, 1, 2, 3}, "Switch"},
        {{3, 2}, "Switch"}, {{0, 4}, "System - Cluster"}, {{6, 4}, "System - Cluster"},
    };
    for (const auto& [ranks, name] : questions) {
        const bool asks = std::ranges::find(ranks, seven.rank()) != ranks.end();
        CHECK(topo::lowest_shared_type(levels, ranks) == (asks ? name : "Unknown"));
    }
}

TEST_CASE("a hierarchy prints its levels") {
    const communicator world;
    const bool is_in = world.size() >= 4 && world.rank() < 4;
    const communicator four = world.split(is_in ? 0 : 1);
    if (!is_in) return;
    const topo::hierarchy levels{four, topo::machine::parse("node:2 l3:2 core:1"),
                                 topo::placement::core_by_core()};
    std::ostringstream text;
    text << levels;
    const std::string r = std::to_string(four.rank() % 2);
    const std::string node = std::to_string(four.rank() / 2);
    CHECK(text.str() == "System - Cluster, rank " + std::to_string(four.rank()) + " of 4\n" +
                            "  Machine node" + node + ", " + node + " of 2, rank " + r + " of 2\n" +
                            "    Core (also L3Cache, PU) node" + node + "/Core#" + r + ", " + r +
                            " of 2, rank 0 of 1");
}

namespace {

/// The path down to the innermost object of a kind; empty if there is none.
std::vector<topo::hardware_object> path_to(const topo::place& where, kind wanted) {
    std::vector<topo::hardware_object> path = where.path();
    while (!path.empty() && path.back().kind != wanted)
        path.pop_back();
    return path;
}

void check_split(const topo::hierarchy& levels, const std::vector<topo::place>& places, kind wanted) {
    const auto part = topo::split(levels.whole(), wanted);
    const auto rank = static_cast<std::size_t>(levels.whole().rank());
    const auto mine = path_to(places[rank], wanted);
    CHECK(part.has_value() == !mine.empty());
    if (!part || mine.empty()) return;

    std::vector<int> expected;
    std::vector<int> roots;
    std::map<std::vector<topo::hardware_object>, int> index_of;
    for (std::size_t other = 0; other < places.size(); ++other) {
        const auto path = path_to(places[other], wanted);
        if (path == mine) expected.push_back(static_cast<int>(other));
        if (path.empty()) continue;
        if (index_of.try_emplace(path, static_cast<int>(roots.size())).second)
            roots.push_back(static_cast<int>(other));
    }
    CHECK(members(part->comm(), levels.whole()) == expected);
    CHECK(part->type() == wanted);
    CHECK(part->also().empty());
    CHECK(part->depth() == 0);
    CHECK(part->index() == index_of[mine]);
    CHECK(part->count() == static_cast<int>(roots.size()));
    CHECK(part->info().root == expected.front());
    CHECK((topo::level_info_of(part->comm()) == part->info()));
    CHECK((MPI_Comm(part->roots()) != MPI_COMM_NULL) == part->is_root());
    if (MPI_Comm(part->roots()) != MPI_COMM_NULL) CHECK(members(part->roots(), levels.whole()) == roots);
    if (expected.size() == places.size()) CHECK(compare(part->comm(), levels.whole()) == MPI_CONGRUENT);

    // From there it goes on as from any other communicator of these ranks.
    const auto below = topo::split_with_roots(part->comm());
    const topo::level* next = nullptr;
    for (const topo::level& each : levels)
        if (next == nullptr && each.size() < part->size()) next = &each;
    CHECK(below.has_value() == (next != nullptr));
    if (below && next != nullptr) {
        CHECK(compare(below->comm(), next->comm()) == MPI_CONGRUENT);
        CHECK(below->depth() == 1);
        CHECK(below->info().root == next->info().root);
    }
}

} // namespace

TEST_CASE("every question on every machine") {
    const communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const auto places = topo::places_of(each.on, each.rule, world.size());
        const topo::hierarchy levels{world, each.on, each.rule};
        check_translation(levels);
        check_locations(levels, places);
        check_lowest_shared(levels, places);
        check_shared_depths(levels, places);
        check_nodes(levels, places);
        check_kinds(levels, places);
        for (const kind wanted : {kind::network_switch, kind::machine, kind::package, kind::numa_node,
                                  kind::l2_cache, kind::core, kind::pu, kind::die}) {
            INFO("split to " << std::string{topo::to_string(wanted)});
            check_split(levels, places, wanted);
        }
    }
}

} // namespace queries_tests
