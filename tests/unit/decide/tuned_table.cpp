// SPDX-License-Identifier: BSL-1.0
// The table that scripts/tune writes, and how it is read.
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/plan/plan_text.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace tuned_table_tests {

using topo::kind;
using topo::plan;
using topo::detail::algorithm;
using topo::detail::call_key;
using topo::detail::candidates;
using topo::detail::look_up;
using topo::detail::tuned_row;
using topo::detail::verb;

namespace {

struct table {
    std::span<const tuned_row> any_order, in_order;
};
const std::array tables{
    table{topo::detail::tuned_between_nodes, topo::detail::tuned_between_nodes_in_order},
    table{topo::detail::tuned_inside_machine, topo::detail::tuned_inside_machine_in_order},
};
constexpr verb tuned_verbs[] = {verb::barrier,    verb::broadcast,  verb::reduce,
                                verb::all_reduce, verb::gather,     verb::scatter,
                                verb::all_gather, verb::all_to_all, verb::reduce_scatter};

} // namespace

TEST_CASE("candidates differ, are read back from their text, and are tried for verbs that they serve") {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        for (const plan* const each : {candidates[i].between_nodes, candidates[i].inside_machine})
            CHECK(topo::read_plan("test", "candidate", to_string(*each)) == *each);
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(*candidates[i].between_nodes != *candidates[j].between_nodes);
            CHECK(*candidates[i].inside_machine != *candidates[j].inside_machine);
        }
        for (const auto& tried : candidates[i].tried)
            for (std::size_t what = 0; what < topo::detail::verb_names.size(); ++what)
                if (tried.what.contains(static_cast<verb>(what))) {
                    CHECK(serves(candidates[i].between_nodes->uses, static_cast<verb>(what)));
                    CHECK(tried.least <= tried.most);
                }
    }
}

TEST_CASE("the tables choose among the candidates only") {
    const auto is_candidate = [](const plan& each) {
        return std::ranges::any_of(candidates, [&](const auto& one) {
            return *one.between_nodes == each || *one.inside_machine == each;
        });
    };
    for (const table& each : tables)
        for (const auto rows : {each.any_order, each.in_order})
            for (const tuned_row& row : rows)
                CHECK_MESSAGE(is_candidate(*row.chosen), to_string(*row.chosen));
}

TEST_CASE("a row counts until the next one of its verb starts, whatever comes behind that") {
    constexpr std::array rows{
        tuned_row{verb::reduce, 0, 0, 0, &topo::plan_of<topo::ring>},
        tuned_row{verb::gather, 0, 0, 0, &topo::plan_of<topo::placement_independent<topo::linear>>},
        tuned_row{verb::gather, 0, 100, 0, &topo::plan_of<topo::linear>},
        tuned_row{verb::gather, 0, 0, 20, &topo::plan_of<topo::postal<4>>},
        tuned_row{verb::gather, 0, 1000, 0, &topo::plan_of<topo::k_nomial<4>>},
    };
    const auto chosen = [&](std::size_t bytes, int ranks) {
        return look_up(rows, verb::gather, bytes, ranks, 1);
    };
    CHECK(chosen(0, 10) == &topo::plan_of<topo::placement_independent<topo::linear>>);
    CHECK(chosen(99, 10) == &topo::plan_of<topo::placement_independent<topo::linear>>);
    CHECK(chosen(100, 10) == &topo::plan_of<topo::linear>);
    CHECK(chosen(199, 10) == &topo::plan_of<topo::linear>);
    CHECK(chosen(200, 10) == &topo::plan_of<topo::postal<4>>);
    CHECK(chosen(1000, 10) == &topo::plan_of<topo::k_nomial<4>>);
    // With few ranks the third starts before the second, with many behind the fourth.
    CHECK(chosen(60, 3) == &topo::plan_of<topo::placement_independent<topo::linear>>);
    CHECK(chosen(100, 3) == &topo::plan_of<topo::postal<4>>);
    CHECK(chosen(1500, 100) == &topo::plan_of<topo::linear>);
    CHECK(chosen(2000, 100) == &topo::plan_of<topo::k_nomial<4>>);
    CHECK(look_up(rows, verb::barrier, 0, 10, 1) == &topo::plan_of<topo::flat>);
}

TEST_CASE("rows for more nodes stand in place of those for fewer, where there are as many") {
    constexpr std::array rows{
        tuned_row{verb::gather, 0, 0, 0, &topo::plan_of<topo::placement_independent<topo::linear>>},
        tuned_row{verb::gather, 0, 100, 0, &topo::plan_of<topo::linear>},
        tuned_row{verb::gather, 8, 0, 0, &topo::plan_of<topo::postal<4>>},
        tuned_row{verb::gather, 8, 1000, 0, &topo::plan_of<topo::k_nomial<4>>},
        tuned_row{verb::gather, 20, 0, 0, &topo::plan_of<topo::lanes<>>},
        tuned_row{verb::reduce, 0, 0, 0, &topo::plan_of<topo::ring>},
    };
    const auto chosen = [&](std::size_t bytes, int nodes) {
        return look_up(rows, verb::gather, bytes, 100, nodes);
    };
    for (const int nodes : {1, 7}) {
        CHECK(chosen(0, nodes) == &topo::plan_of<topo::placement_independent<topo::linear>>);
        CHECK(chosen(5000, nodes) == &topo::plan_of<topo::linear>);
    }
    for (const int nodes : {8, 19}) {
        CHECK(chosen(0, nodes) == &topo::plan_of<topo::postal<4>>);
        CHECK(chosen(500, nodes) == &topo::plan_of<topo::postal<4>>);
        CHECK(chosen(1000, nodes) == &topo::plan_of<topo::k_nomial<4>>);
    }
    CHECK(chosen(0, 20) == &topo::plan_of<topo::lanes<>>);
    CHECK(chosen(5000, 1000) == &topo::plan_of<topo::lanes<>>);
    CHECK(look_up(rows, verb::reduce, 0, 100, 1000) == &topo::plan_of<topo::ring>);
}

TEST_CASE("nodes are counted as if all had as many ranks as the largest") {
    CHECK(call_key{.ranks = 48, .ranks_of_node = 24}.nodes() == 2);
    CHECK(call_key{.ranks = 49, .ranks_of_node = 24}.nodes() == 3);
    CHECK(call_key{.ranks = 5}.nodes() == 5);
    CHECK(call_key{.ranks = 8, .ranks_of_node = 8}.nodes() == 1);
}

TEST_CASE("each verb has a choice from nothing on that can serve it") {
    for (const table& each : tables) {
        for (const verb what : tuned_verbs) {
            const tuned_row* last = nullptr;
            for (const tuned_row& row : each.any_order)
                if (row.what == what) {
                    // Of each number of nodes the first row starts at 0 bytes, and more nodes come later.
                    const bool is_first = last == nullptr || last->nodes != row.nodes;
                    CHECK(is_first == (row.from(4) == 0));
                    if (last == nullptr)
                        CHECK(row.nodes == 0);
                    else
                        CHECK(last->nodes <= row.nodes);
                    last = &row;
                    const plan& chosen = *row.chosen;
                    CHECK(chosen.uses != algorithm::none);
                    CHECK(serves(chosen.uses, what));
                }
            REQUIRE(last != nullptr);
        }
        CHECK(each.in_order.front().from(4) == 0);
        for (const tuned_row& row : each.in_order) {
            CHECK(row.what == verb::reduce);
            CHECK(row.chosen->uses == algorithm::tree);
            CHECK(row.chosen->tree.keeps_order());
        }
    }
}

} // namespace tuned_table_tests
