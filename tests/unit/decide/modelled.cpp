// SPDX-License-Identifier: BSL-1.0
// What `automatic` chooses on more nodes than anything was measured on.
#include <topomp/decide/detail/modelled.hpp>
#include <topomp/decide/detail/tuned.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

namespace modelled_tests {

using topo::kind;
using topo::plan;
using topo::detail::algorithm;
using topo::detail::call_key;
using topo::detail::choose;
using topo::detail::choose_by_model;
using topo::detail::goes_by_model;
using topo::detail::verb;

namespace {

/// Nodes of as many ranks each, without memory that they share.
call_key many_nodes(verb what, int nodes, int ranks_of_node, std::size_t bytes) {
    return {.what = what,
            .joins_all = kind::cluster,
            .max_depth = 1,
            .bytes = bytes,
            .is_commutative = true,
            .ranks = nodes * ranks_of_node,
            .uses_memory = false,
            .ranks_of_node = ranks_of_node};
}

} // namespace

TEST_CASE("models choose on 64 nodes and more, for the verbs that they know all about, not where nodes have "
          "memory") {
    for (const verb what : {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce}) {
        CHECK(goes_by_model(many_nodes(what, 64, 16, 8)));
        CHECK_FALSE(goes_by_model(many_nodes(what, 63, 16, 8)));
        call_key now = many_nodes(what, 1000, 16, 8);
        CHECK(goes_by_model(now));
        now.uses_memory = true;
        CHECK_FALSE(goes_by_model(now));
        now = many_nodes(what, 1000, 16, 8);
        now.joins_all = kind::machine;
        CHECK_FALSE(goes_by_model(now));
    }
    for (const verb what : {verb::gather, verb::scatter, verb::all_gather, verb::all_to_all})
        CHECK_FALSE(goes_by_model(many_nodes(what, 1000, 16, 8)));
}

TEST_CASE("a short all_reduce goes in rounds, a long one is split, a short broadcast goes down a tree, a "
          "long one in parts") {
    CHECK(choose_by_model(many_nodes(verb::barrier, 256, 16, 0)).uses == algorithm::recursive_doubling);
    CHECK(choose_by_model(many_nodes(verb::all_reduce, 256, 16, 8)).uses == algorithm::recursive_doubling);
    CHECK(choose_by_model(many_nodes(verb::all_reduce, 256, 16, 1 << 16)).uses == algorithm::rabenseifner);
    const plan brief = choose_by_model(many_nodes(verb::broadcast, 256, 16, 8));
    CHECK(brief.uses == algorithm::tree);
    CHECK(brief.tree.segment_bytes == 0);
    const plan lengthy = choose_by_model(many_nodes(verb::broadcast, 256, 16, 1 << 20));
    CHECK((lengthy.uses == algorithm::recursive_doubling || lengthy.tree.segment_bytes > 0));
    CHECK(choose_by_model(many_nodes(verb::broadcast, 256, 16, 1 << 22)).uses == algorithm::split_trees);
}

TEST_CASE("what must keep the order of ranks gets a tree that keeps it") {
    for (const std::size_t bytes : {8U, 1024U, 65536U, 1U << 20}) {
        call_key now = many_nodes(verb::reduce, 100, 24, bytes);
        now.is_commutative = false;
        const plan chosen = choose_by_model(now);
        CHECK(chosen.uses == algorithm::tree);
        CHECK(chosen.tree.keeps_order());
    }
}

TEST_CASE("a message costs what the node's link leaves of it") {
    constexpr auto link = topo::detail::usual_between_nodes;
    CHECK(link.cost(8).time == doctest::Approx(2.6e-6).epsilon(0.01)); // o + L + o
    CHECK(link.cost(8).busy == doctest::Approx(6e-7));
    CHECK(link.cost(1 << 20, 16).gap == doctest::Approx(16 * 1048576 / 12.5e9));
    CHECK(topo::detail::usual_inside_node.cost(8).time == doctest::Approx(0.85e-6).epsilon(0.01));
}

} // namespace modelled_tests
