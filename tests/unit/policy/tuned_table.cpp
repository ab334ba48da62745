// SPDX-License-Identifier: BSL-1.0
// The table that scripts/tune writes, and how it is read.
#include <topomp/policy/detail/tuned.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <span>

namespace tuned_table_tests {

using topo::kind;
using topo::detail::call_key;
using topo::detail::look_up;
using topo::detail::named_choices;
using topo::detail::selection_of;
using topo::detail::tuned_choice;
using topo::detail::tuned_row;
using topo::detail::verb;
using topo::detail::way;

namespace {

struct table {
    std::span<const tuned_row> any_order, in_order;
    call_key where;
};
const std::array tables{
    table{topo::detail::tuned_between_nodes,
          topo::detail::tuned_between_nodes_in_order,
          {.joins_all = kind::cluster}},
    table{topo::detail::tuned_inside_machine,
          topo::detail::tuned_inside_machine_in_order,
          {.joins_all = kind::machine}},
};
constexpr verb tuned_verbs[] = {verb::barrier,    verb::broadcast,  verb::reduce,
                                verb::all_reduce, verb::gather,     verb::scatter,
                                verb::all_gather, verb::all_to_all, verb::reduce_scatter};

} // namespace

TEST_CASE("choices stand in the order of their numbers, each with a name of its own") {
    for (std::size_t i = 0; i < named_choices.size(); ++i) {
        CHECK(static_cast<std::size_t>(named_choices[i].which) == i);
        for (std::size_t j = 0; j < i; ++j)
            CHECK(named_choices[i].name != named_choices[j].name);
    }
}

TEST_CASE("a row counts until the next one of its verb starts, whatever comes behind that") {
    constexpr std::array rows{
        tuned_row{verb::reduce, 0, 0, 0, tuned_choice::ring},
        tuned_row{verb::gather, 0, 0, 0, tuned_choice::straight},
        tuned_row{verb::gather, 0, 100, 0, tuned_choice::linear_linear},
        tuned_row{verb::gather, 0, 0, 20, tuned_choice::postal4_postal3},
        tuned_row{verb::gather, 0, 1000, 0, tuned_choice::nomial4_linear},
    };
    const auto chosen = [&](std::size_t bytes, int ranks) {
        return look_up(rows, verb::gather, bytes, ranks, 1);
    };
    CHECK(chosen(0, 10) == tuned_choice::straight);
    CHECK(chosen(99, 10) == tuned_choice::straight);
    CHECK(chosen(100, 10) == tuned_choice::linear_linear);
    CHECK(chosen(199, 10) == tuned_choice::linear_linear);
    CHECK(chosen(200, 10) == tuned_choice::postal4_postal3);
    CHECK(chosen(1000, 10) == tuned_choice::nomial4_linear);
    // With few ranks the third starts before the second, with many behind the fourth.
    CHECK(chosen(60, 3) == tuned_choice::straight);
    CHECK(chosen(100, 3) == tuned_choice::postal4_postal3);
    CHECK(chosen(1500, 100) == tuned_choice::linear_linear);
    CHECK(chosen(2000, 100) == tuned_choice::nomial4_linear);
    CHECK(look_up(rows, verb::barrier, 0, 10, 1) == tuned_choice::flat);
}

TEST_CASE("rows for more nodes stand in place of those for fewer, where there are as many") {
    constexpr std::array rows{
        tuned_row{verb::gather, 0, 0, 0, tuned_choice::straight},
        tuned_row{verb::gather, 0, 100, 0, tuned_choice::linear_linear},
        tuned_row{verb::gather, 8, 0, 0, tuned_choice::postal4_postal3},
        tuned_row{verb::gather, 8, 1000, 0, tuned_choice::nomial4_linear},
        tuned_row{verb::gather, 20, 0, 0, tuned_choice::lanes},
        tuned_row{verb::reduce, 0, 0, 0, tuned_choice::ring},
    };
    const auto chosen = [&](std::size_t bytes, int nodes) {
        return look_up(rows, verb::gather, bytes, 100, nodes);
    };
    for (const int nodes : {1, 7}) {
        CHECK(chosen(0, nodes) == tuned_choice::straight);
        CHECK(chosen(5000, nodes) == tuned_choice::linear_linear);
    }
    for (const int nodes : {8, 19}) {
        CHECK(chosen(0, nodes) == tuned_choice::postal4_postal3);
        CHECK(chosen(500, nodes) == tuned_choice::postal4_postal3);
        CHECK(chosen(1000, nodes) == tuned_choice::nomial4_linear);
    }
    CHECK(chosen(0, 20) == tuned_choice::lanes);
    CHECK(chosen(5000, 1000) == tuned_choice::lanes);
    CHECK(look_up(rows, verb::reduce, 0, 100, 1000) == tuned_choice::ring);
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
                    const auto chosen = selection_of(row.chosen, each.where);
                    CHECK(chosen.how != way::none);
                    CHECK(serves(chosen.how, what));
                }
            REQUIRE(last != nullptr);
        }
        CHECK(each.in_order.front().from(4) == 0);
        for (const tuned_row& row : each.in_order) {
            CHECK(row.what == verb::reduce);
            CHECK(selection_of(row.chosen, each.where).how == way::tree);
            CHECK(selection_of(row.chosen, each.where).plan.keeps_order());
        }
    }
}

} // namespace tuned_table_tests
