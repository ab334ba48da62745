// SPDX-License-Identifier: BSL-1.0
// What `automatic` chooses, and what is refused at run time because the compiler could not know.
#include "support/check_fails.hpp"
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/decide/detail/tuned_node.hpp>
#include <topomp/hierarchy/level.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace choices_tests {

using topo::kind;
using topo::plan;
using topo::detail::algorithm;
using topo::detail::call_key;
using topo::detail::choose;
using topo::detail::tree_plan_of;
using topo::detail::verb;

namespace {

constexpr std::size_t sizes[] = {0, 1, 8, 1000, 32767, 32768, 100000, std::size_t{1} << 34};
constexpr verb verbs[] = {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce};

/// Where ranks of a node have no memory in common.
constexpr call_key by_messages(call_key now) {
    now.uses_memory = false;
    return now;
}

// The choice can be made while compiling.
static_assert(choose({verb::broadcast, kind::machine, 1, 8, true}).uses == algorithm::hierarchical);
static_assert(choose({verb::all_gather, kind::machine, 1, 8, true}).uses == algorithm::shared);
static_assert(choose({verb::reduce_scatter, kind::machine, 1, 8, true}).uses == algorithm::shared);
static_assert(choose({verb::all_to_all, kind::machine, 1, 1 << 20, true, 8}).uses == algorithm::shared);
static_assert(choose({verb::scatter, kind::machine, 1, 1 << 20, true, 8}).uses == algorithm::shared);
static_assert(choose({verb::all_gatherv, kind::machine, 1, 1 << 20, true, 8}).uses == algorithm::shared);
static_assert(choose({verb::scatterv, kind::machine, 1, 1 << 20, true, 8}).uses == algorithm::flat);
static_assert(choose({verb::all_to_allv, kind::machine, 1, 0, true, 8}).uses == algorithm::shared);
static_assert(choose({verb::scan, kind::machine, 1, 8, true}).uses == algorithm::shared);
static_assert(choose({verb::broadcast, kind::machine, 2, 8, true}).uses == algorithm::tree);
static_assert(choose(by_messages({verb::broadcast, kind::cluster, 2, 8, true, 48, false, false, 24})).uses ==
              algorithm::tree);

} // namespace

TEST_CASE("on one node without parts in parts its memory is used, and where nothing is known the MPI's own "
          "collective") {
    for (const verb what : verbs)
        for (const std::size_t bytes : sizes)
            for (const bool commutes : {true, false}) {
                for (const kind node : {kind::machine, kind::package}) {
                    const auto chosen = choose({what, node, 1, bytes, commutes});
                    CHECK(chosen.uses == algorithm::hierarchical);
                    CHECK(chosen.loop.rule_for({}).is_within);
                }
                CHECK(choose({what, kind::cluster, 0, bytes, commutes}).uses == algorithm::flat);
            }
}

TEST_CASE("where ranks outnumber cores they exchange nothing in rounds") {
    for (int what = 0; what <= static_cast<int>(verb::exclusive_scan); ++what)
        for (const bool uses_memory : {true, false})
            for (const std::size_t bytes : sizes) {
                call_key now{static_cast<verb>(what), kind::cluster, 2, bytes, true, 16};
                now.uses_memory = uses_memory;
                now.is_oversubscribed = true;
                now.ranks_of_node = 4;
                const auto chosen = choose(now);
                CHECK(topo::detail::serves(chosen.uses, now.what));
                CHECK(chosen.uses != algorithm::recursive_doubling);
                CHECK(chosen.uses != algorithm::rabenseifner);
                CHECK(chosen.uses != algorithm::pairwise);
            }
}

TEST_CASE("where ranks outnumber cores one message leaves a node for each other one, if it is short") {
    const auto choose_oversubscribed = [](verb what, std::size_t bytes) {
        call_key now{what, kind::cluster, 1, bytes, true, 16};
        now.is_oversubscribed = true;
        now.ranks_of_node = 4;
        return choose(now);
    };
    CHECK(choose_oversubscribed(verb::all_gather, 8).uses == algorithm::shared);
    CHECK(choose_oversubscribed(verb::all_gather, std::size_t{1} << 20).uses == algorithm::ring);
    CHECK(choose_oversubscribed(verb::all_gatherv, std::size_t{1} << 20).uses == algorithm::lanes);
    CHECK(choose_oversubscribed(verb::gather, 8).uses == algorithm::tree);
    CHECK(choose_oversubscribed(verb::all_to_all, 8).uses == algorithm::shared);
    CHECK(choose_oversubscribed(verb::all_to_all, std::size_t{1} << 20).uses == algorithm::flat);
    CHECK(choose_oversubscribed(verb::scatter, 8).uses == algorithm::shared);
    CHECK(choose_oversubscribed(verb::scatter, std::size_t{1} << 20).uses == algorithm::flat);
    CHECK(choose_oversubscribed(verb::broadcast, 8).uses == algorithm::hierarchical);
    CHECK(choose_oversubscribed(verb::scatter, 8192).uses == algorithm::shared);
    CHECK(choose_oversubscribed(verb::scatter, 16384).uses == algorithm::flat);
    for (const verb what : {verb::broadcast, verb::reduce, verb::all_reduce, verb::reduce_scatter}) {
        const topo::plan& short_one = topo::detail::direct_between_nodes;
        const topo::plan& in_pieces = topo::detail::pieces_between_nodes;
        CHECK(choose_oversubscribed(what, 512) == short_one);
        CHECK(choose_oversubscribed(what, std::size_t{1} << 17) == in_pieces);
    }
    const topo::plan& from_each_node = topo::detail::root_and_other_nodes;
    for (const verb what : {verb::reduce, verb::all_reduce, verb::reduce_scatter})
        for (const std::size_t bytes : {std::size_t{8192}, std::size_t{16384}})
            CHECK(choose_oversubscribed(what, bytes) == from_each_node);
    CHECK(choose_oversubscribed(verb::broadcast, 8192) != from_each_node);
    CHECK(choose_oversubscribed(verb::barrier, 0) == topo::detail::each_node_to_each);
    call_key in_order{verb::reduce, kind::cluster, 1, std::size_t{1} << 22, false, 16};
    in_order.is_oversubscribed = true;
    in_order.ranks_of_node = 4;
    CHECK(choose(in_order) == topo::detail::direct_between_nodes);
    CHECK(choose_oversubscribed(verb::reduce_scatter, 8).uses == algorithm::hierarchical);
    CHECK(choose_oversubscribed(verb::reduce_scatter, std::size_t{1} << 20).uses != algorithm::hierarchical);
}

TEST_CASE(
    "among one rank of each node rules for oversubscribed ones count where there are any, else models") {
    const auto chosen = [](verb what, std::size_t bytes, bool is_oversubscribed) {
        call_key now{what, kind::cluster, 1, bytes, true, 4};
        now.uses_memory = false;
        now.is_oversubscribed = is_oversubscribed;
        return topo::detail::decide(now);
    };
    const topo::plan& from_each_node = topo::detail::root_and_other_nodes;
    const topo::plan& in_pieces = topo::detail::pieces_between_nodes;
    CHECK(chosen(verb::reduce, 8, true) == from_each_node);
    CHECK(chosen(verb::all_reduce, 16384, true) == from_each_node);
    CHECK(chosen(verb::all_reduce, std::size_t{1} << 18, true) == in_pieces);
    for (const verb what : {verb::broadcast, verb::reduce})
        for (const std::size_t bytes : {std::size_t{32768}, std::size_t{1} << 20})
            CHECK(chosen(what, bytes, true) == chosen(what, bytes, false));
    CHECK(chosen(verb::all_reduce, std::size_t{1} << 18, false) != in_pieces);
}

TEST_CASE("what cannot be reordered gets shapes that keep the order, at every size") {
    for (const verb what : verbs)
        for (const kind joins : {kind::cluster, kind::network_switch})
            for (const std::size_t bytes : sizes) {
                const auto chosen = choose(by_messages({what, joins, 2, bytes, false}));
                CHECK((chosen.uses == algorithm::flat || chosen.tree.keeps_order()));
            }
}

TEST_CASE("what begins without knowing who is near whom goes down or up trees, at every size") {
    for (const verb what : {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce})
        for (const kind joins : {kind::cluster, kind::machine})
            for (const bool commutes : {true, false})
                for (const std::size_t bytes : sizes) {
                    const auto chosen =
                        topo::detail::choose_in_background({what, joins, 2, bytes, commutes, 8});
                    CHECK(chosen.uses == algorithm::tree);
                    CHECK(!chosen.tree.rules.empty());
                    CHECK((commutes || chosen.tree.keeps_order()));
                }
}

TEST_CASE("long messages are cut into segments or split, short ones are not") {
    for (const bool commutes : {true, false}) {
        const auto brief = choose(by_messages({verb::reduce, kind::cluster, 2, 8, commutes}));
        const auto lengthy = choose(by_messages({verb::reduce, kind::cluster, 2, 1 << 20, commutes}));
        REQUIRE(brief.uses == algorithm::tree);
        CHECK(brief.tree.segment_bytes == 0);
        if (lengthy.uses == algorithm::rabenseifner && commutes) continue;
        REQUIRE(lengthy.uses == algorithm::tree);
        CHECK(lengthy.tree.segment_bytes > 0);
        CHECK(lengthy.tree.segment_bytes < 1 << 20);
    }
}

TEST_CASE("a policy that reorders is refused for an operation that is not commutative") {
    using topo::detail::require_order;
    const plan reorders{algorithm::tree, tree_plan_of<topo::binary>};
    const plan keeps{algorithm::tree, tree_plan_of<topo::chain>};
    topo_test::check_fails<topo::argument_error>(
        [&] { require_order("topo::reduce", reorders, false); },
        {"topo::reduce", "operation", "not commutative", "in_order_binary"});
    CHECK_NOTHROW(require_order("topo::reduce", reorders, true));
    CHECK_NOTHROW(require_order("topo::reduce", keeps, false));
    CHECK_NOTHROW(require_order("topo::reduce", {algorithm::flat, {}}, false));
    CHECK_NOTHROW(require_order("topo::reduce", {algorithm::hierarchical, {}}, false));
}

TEST_CASE("exchanges that reorder are refused for an operation that is not commutative, doubling is not") {
    using topo::detail::require_order;
    for (const algorithm uses : {algorithm::ring, algorithm::rabenseifner, algorithm::recursive_halving}) {
        topo_test::check_fails<topo::argument_error>(
            [&] { require_order("topo::all_reduce", plan{uses}, false); },
            {"topo::all_reduce", "operation", "not commutative", "recursive_doubling"});
        CHECK_NOTHROW(require_order("topo::all_reduce", plan{uses}, true));
    }
    CHECK_NOTHROW(require_order("topo::all_reduce", {algorithm::recursive_doubling, {}}, false));
}

TEST_CASE("reduce_scatter: rounds for short ones and inside a machine, lanes between nodes for long ones, "
          "trees where the order counts") {
    const auto chosen = [](std::size_t bytes, bool commutes) {
        return choose({verb::reduce_scatter, kind::cluster, 2, bytes, commutes, 8});
    };
    CHECK(chosen(100, true).uses == algorithm::recursive_halving);
    CHECK(chosen(std::size_t{1} << 24, true).uses == algorithm::lanes);
    CHECK(choose({verb::reduce_scatter, kind::machine, 2, 100, true, 8}).uses ==
          algorithm::recursive_halving);
    CHECK(choose({verb::reduce_scatter, kind::machine, 2, std::size_t{1} << 24, true, 8}).uses ==
          algorithm::recursive_halving);
    for (const std::size_t bytes : sizes) {
        CHECK(chosen(bytes, false).uses == algorithm::tree);
        CHECK(chosen(bytes, false).tree.keeps_order());
    }
}

TEST_CASE("a root gathers long blocks of nodes with one rank from few of them, those of full nodes from each "
          "rank") {
    const auto chosen = [](std::size_t bytes, int ranks_of_node) {
        return choose(by_messages(
            {verb::gather, kind::cluster, 1, bytes, true, 32 * ranks_of_node, false, false, ranks_of_node}));
    };
    const auto senders = [&](std::size_t bytes, int ranks_of_node) {
        topo::level_info between;
        between.type = kind::cluster;
        std::vector<int> found;
        chosen(bytes, ranks_of_node).tree.shape_for(between).children(0, 32, found);
        return found.size();
    };
    for (const std::size_t bytes : {4096UL, 8192UL, 1UL << 20}) {
        CHECK(chosen(bytes, 1).uses == algorithm::tree);
        CHECK(senders(bytes, 1) < 16);
        CHECK(senders(bytes, 16) == 31);
    }
}

TEST_CASE("a result of another size is refused where it matters") {
    using topo::detail::require_same_size;
    topo_test::check_fails<topo::argument_error>([] { require_same_size("topo::reduce", true, 3, 4); },
                                                 {"topo::reduce", "result", "4 elements", "are 3"});
    CHECK_NOTHROW(require_same_size("topo::reduce", false, 3, 0));
    CHECK_NOTHROW(require_same_size("topo::reduce", true, 3, 3));
}

TEST_CASE("whatever is chosen in the background can go on there") {
    using topo::detail::choose_in_background;
    for (const verb what :
         {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce, verb::all_gather, verb::all_to_all})
        for (const kind joins : {kind::cluster, kind::network_switch, kind::machine})
            for (const std::size_t bytes : sizes)
                for (const bool commutes : {true, false}) {
                    const auto chosen = choose_in_background({what, joins, 2, bytes, commutes, 8});
                    CHECK(topo::detail::serves_in_background(chosen.uses, what));
                    CHECK((commutes || chosen.uses != algorithm::tree || chosen.tree.keeps_order()));
                }
}

TEST_CASE("whatever is chosen can serve the verb") {
    for (int what = 0; what <= static_cast<int>(verb::exclusive_scan); ++what)
        for (const kind joins : {kind::cluster, kind::network_switch, kind::machine})
            for (const std::size_t bytes : sizes) {
                const auto chosen = choose({static_cast<verb>(what), joins, 2, bytes, true});
                CHECK(topo::detail::serves(chosen.uses, static_cast<verb>(what)));
                if (chosen.uses == algorithm::tree) CHECK(!chosen.tree.rules.empty());
            }
}

} // namespace choices_tests
