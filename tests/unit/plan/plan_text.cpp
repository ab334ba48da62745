// SPDX-License-Identifier: BSL-1.0
// Plans as text: what is written is read back, and what is no policy is refused with its column.
#include "support/made_up.hpp"
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace plan_text_tests {

using namespace topo;

namespace {

plan read(const std::string& text) { return read_plan("test", "'" + text + "'", text); }

/// A shape of the program's own, derived from one of the library's.
struct own_chain : chain {};

std::string drawn_shape(topo_test::dice& roll, bool may_have_single_child = true) {
    const std::string number = std::to_string(roll.up_to(30) + 2);
    switch (roll.up_to(may_have_single_child ? 7 : 6)) {
    case 0:
        return "linear";
    case 1:
        return "chain";
    case 2:
        return "in_order_binary";
    case 3:
        return number == "2" ? "binary" : "k_ary<" + number + '>';
    case 4:
        return number == "2" ? "binomial" : "k_nomial<" + number + '>';
    case 5:
    case 6:
        return "postal<" + number + '>';
    default:
        return "below_single_child<" + drawn_shape(roll, false) + '>';
    }
}

std::string drawn_tree(topo_test::dice& roll) {
    switch (roll.up_to(4)) {
    case 0:
        return drawn_shape(roll);
    case 1:
        return "two_levels<" + (roll.one_in(3) ? std::string{"two_tree"} : drawn_shape(roll)) + ", " +
               drawn_shape(roll) + '>';
    case 2: {
        const int inside = roll.up_to(5) + 1;
        return "node_aware_postal<" + std::to_string(inside + roll.up_to(5)) + ", " + std::to_string(inside) +
               (roll.one_in(2) ? ", true>" : ">");
    }
    default: {
        std::string text = "per_level<";
        for (const char* const each : {"cluster", "network_switch", "machine", "numa_node", "l3_cache"})
            if (roll.one_in(2)) text += "on<kind::" + std::string{each} + ", " + drawn_shape(roll) + ">, ";
        if (text.back() == '<') text += "on<kind::core, split_binary>, ";
        return text + "otherwise<" + drawn_shape(roll) + ">>";
    }
    }
}

std::string drawn_policy(topo_test::dice& roll) {
    const std::string radix = std::to_string(roll.up_to(60) + 3);
    switch (roll.up_to(9)) {
    case 0:
        return "segmented<" + std::to_string(roll.up_to(1 << 20) + 1) + ", " + drawn_tree(roll) + '>';
    case 1:
        return "lanes<" + drawn_shape(roll) + ", " + drawn_shape(roll) + '>';
    case 2:
        return "segmented<4096, lanes<chain, " + drawn_shape(roll) + ">>";
    case 3:
        return "placement_independent<" + drawn_shape(roll) + '>';
    case 4:
        return "k_ary_recursive_doubling<" + radix + '>';
    case 5:
        return "k_ary_recursive_halving<" + radix + '>';
    case 6:
        return "k_ary_rabenseifner<" + radix + ", 256>";
    case 7:
        return "hierarchical<within<kind::machine, shared>, otherwise<" +
               std::string{roll.up_to(2) == 0   ? "direct_messages"
                           : roll.up_to(2) == 0 ? "rounds_in_level<4>"
                           : roll.up_to(2) == 0 ? "circulant_in_level<8192>"
                           : roll.up_to(2) == 0 ? "rounds_in_lanes<16>"
                           : roll.up_to(2) == 0 ? "rounds_in_lanes<4, 2048>"
                                                : "tree_in_level<binary, 8192>"} +
               ">>";
    default:
        return drawn_tree(roll);
    }
}

} // namespace

TEST_CASE("a policy's text is that of its plan, and the plan of its text") {
    topo_test::dice roll{2026};
    for (int i = 0; i < 3000; ++i) {
        const std::string text = drawn_policy(roll);
        CAPTURE(text);
        const plan made = read(text);
        CHECK(to_string(made) == text);
        CHECK(read(to_string(made)) == made);
    }
}

TEST_CASE("the text of a type is read as that type, blanks and namespaces or not") {
    CHECK(read("flat") == plan_of<flat>);
    CHECK(read("native") == plan_of<native>);
    CHECK(read(" topo::binomial ") == plan_of<binomial>);
    CHECK(read("k_nomial<2>") == plan_of<binomial>);
    CHECK(read("k_ary<2>") == plan_of<binary>);
    CHECK(read("postal<7>") == plan_of<postal<7>>);
    CHECK(read("segmented<8192,two_levels<two_tree>>") == plan_of<segmented<8192, two_levels<two_tree>>>);
    CHECK(read("segmented<64, split_binary>") == plan_of<segmented<64, split_binary>>);
    CHECK(read("lanes<>") == plan_of<lanes<>>);
    CHECK(read("lanes") == plan_of<lanes<>>);
    CHECK(read("lanes<native, native>") == plan_of<lanes<native, native>>);
    CHECK(read("placement_independent") == plan_of<placement_independent<>>);
    CHECK(read("node_aware_postal<5, 3>") == plan_of<node_aware_postal<5, 3>>);
    CHECK(read("node_aware_postal<5, 3, true>") == plan_of<node_aware_postal<5, 3, true>>);
    CHECK(read("recursive_doubling") == plan_of<recursive_doubling>);
    CHECK(read("circulant") == plan_of<circulant<>>);
    CHECK(read("circulant<>") == plan_of<circulant<8192>>);
    CHECK(read("k_ary_bruck") == plan_of<k_ary_bruck<>>);
    CHECK(read("k_ary_bruck<3>") == plan_of<k_ary_bruck<3>>);
    CHECK(read("node_aggregated") == plan_of<node_aggregated<>>);
    CHECK(read("node_aggregated<2, 9>") == plan_of<node_aggregated<2, 9>>);
    CHECK(to_string(read("node_aggregated<2, 9>")) == "node_aggregated<2, 9>");
    CHECK(read("k_ary_rabenseifner<2>") == plan_of<rabenseifner>);
    CHECK(to_string(plan_of<k_ary_rabenseifner<2>>) == "rabenseifner");
    CHECK(read("circulant<64>") == plan_of<circulant<64>>);
    CHECK(read("circulant<64, 3>") == plan_of<circulant<64, 3>>);
    CHECK(to_string(read("circulant<64, 3>")) == "circulant<64, 3>");
    CHECK(read("k_ary_rabenseifner<4, 256>") == plan_of<k_ary_rabenseifner<4, 256>>);
    CHECK(read("per_level<on<kind::cluster, chain>, on<topo::kind::machine, k_ary<3>>, otherwise<linear>>") ==
          plan_of<per_level<on<kind::cluster, chain>, on<kind::machine, k_ary<3>>, otherwise<linear>>>);
    CHECK(read("hierarchical<otherwise<mpi_calls>>") == plan_of<native>);
    CHECK(to_string(plan_of<native>) == "native");
}

TEST_CASE("plans that differ in one thing are not equal, and have texts of their own") {
    const std::array<plan, 12> all{plan_of<flat>,
                                   plan_of<chain>,
                                   plan_of<two_levels<chain, chain>>,
                                   plan_of<per_level<on<kind::cluster, chain>, otherwise<chain>>>,
                                   plan_of<placement_independent<chain>>,
                                   plan_of<segmented<8, chain>>,
                                   plan_of<segmented<9, chain>>,
                                   plan_of<lanes<chain, chain>>,
                                   plan_of<k_ary_rabenseifner<3>>,
                                   plan_of<k_ary_rabenseifner<3, 1>>,
                                   plan_of<k_ary_recursive_halving<3>>,
                                   plan_of<below_single_child<chain>>};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(all[i] != all[j]);
            CHECK(to_string(all[i]) != to_string(all[j]));
        }
}

TEST_CASE("equal rules are kept once, so that a context finds their trees again") {
    const auto rules = [](const char* text) { return read(text).tree.rules.data(); };
    CHECK(rules("per_level<on<machine, chain>, otherwise<linear>>") ==
          rules("per_level<on<kind::machine, chain>, otherwise<linear>>"));
    CHECK(rules("chain") != rules("linear"));
    // The same rules, and another tree.
    CHECK(read("two_levels<chain, linear>").tree.identity() !=
          read("per_level<on<cluster, chain>, otherwise<linear>>").tree.identity());
    CHECK(read("chain").tree.identity() != read("placement_independent<chain>").tree.identity());
}

TEST_CASE("a shape of the program's own is not taken for the library's") {
    CHECK(to_string(plan_of<own_chain>) == "own");
    CHECK(plan_of<own_chain> != plan_of<chain>);
}

TEST_CASE("what is no policy is refused with its column and what is known there") {
    const auto refused = [](const std::string& text, std::vector<std::string> words) {
        CAPTURE(text);
        words.push_back("test: '" + text + "': column ");
        std::string problem;
        try {
            read(text);
        } catch (const argument_error& thrown) {
            problem = thrown.what();
        }
        for (const std::string& word : words)
            CHECK_MESSAGE(problem.find(word) != problem.npos, problem);
    };
    refused("", {"column 1: a name is missing"});
    refused("rong", {"column 1: there is no 'rong'", "binomial", "two_levels<"});
    refused("binomial chain", {"column 10: nothing may stand behind"});
    refused("k_nomial", {"column 1: 'k_nomial' takes 1 argument"});
    CHECK(read("segmented<4294967296, chain>").tree.segment_bytes == std::size_t{1} << 32);
    refused("k_nomial<4294967296>", {"column 10: '4294967296' must be a number from 2 to 2147483647"});
    refused("k_nomial<1>", {"column 10: '1' must be a number from 2 on"});
    refused("k_nomial<99999999999>", {"column 10"});
    refused("k_nomial<x>", {"column 10: 'x' must be a number"});
    refused("binomial<2>", {"column 1: 'binomial' takes no arguments"});
    refused("flat<2>", {"'flat' takes no arguments"});
    refused("rabenseifner<2>", {"'rabenseifner' takes no arguments"});
    refused("k_ary_rabenseifner", {"'k_ary_rabenseifner' takes 1 to 2 arguments"});
    refused("k_ary_recursive_doubling<2, 8>", {"'k_ary_recursive_doubling' takes 1 argument in"});
    refused("circulant<0>", {"column 11: '0' must be a number from 1 on"});
    refused("k_ary_bruck<1>", {"column 13: '1' must be a number from 2 on"});
    refused("tree", {"there is no 'tree'", "k_ary_rabenseifner<K, bytes>, ", "circulant<bytes, K>"});
    refused("segmented<8192, ring>", {"column 17: only trees and lanes"});
    refused("segmented<0, chain>", {"column 11"});
    refused("segmented<8, placement_independent<chain>>", {"column 14"});
    refused("per_level<on<machine, chain>>", {"column 11: the last rule must be otherwise<shape>"});
    refused("per_level<otherwise<chain>, otherwise<chain>>", {"column 11: a rule must be on<kind, shape>"});
    refused("per_level<>", {"otherwise<shape> is missing"});
    refused("per_level<on<socket, chain>, otherwise<chain>>",
            {"column 14: there is no kind 'socket'", "package"});
    refused("two_levels<chain, two_tree>", {"column 19: there is no 'two_tree'"});
    refused("below_single_child<below_single_child<chain>>", {"column 20"});
    refused("lanes<native, chain>", {"both native"});
    refused("hierarchical<otherwise<chain>>", {"column 24: there is no algorithm 'chain'", "mpi_calls"});
    refused("node_aware_postal<2, 3>", {"column 19: '2' must be a number from 3 on"});
    refused("node_aware_postal<3, 2, yes>", {"column 25"});
    refused("lanes<chain, linear", {"column 20: a ',' or '>' is missing"});
    refused("topo:binomial", {"column 6: a second ':' is missing"});
}

} // namespace plan_text_tests
