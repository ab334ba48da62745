// SPDX-License-Identifier: BSL-1.0
// The one decision: which candidates there are, by which costs they are ranked, and that all of it fits
// together.
#include "support/through_nodes.hpp"
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/model/usual_networks.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace decide_tests {

using topo::kind;
using topo::plan;
using topo::plan_of;
using topo::detail::algorithm;
using topo::detail::call_form;
using topo::detail::call_key;
using topo::detail::candidates_for;
using topo::detail::cost_origin;
using topo::detail::cost_sources;
using topo::detail::decide;
using topo::detail::length_class;
using topo::detail::rank_plans;
using topo::detail::verb;

namespace {

constexpr verb verbs_with_models[] = {verb::barrier, verb::broadcast, verb::reduce, verb::all_reduce};
constexpr std::size_t sizes[] = {0, 8, 1000, 32768, std::size_t{1} << 20, std::size_t{1} << 26};

/// Nodes of as many ranks each.
call_key on_nodes(verb what, int nodes, int ranks_of_node, std::size_t bytes, bool uses_memory) {
    return {.what = what,
            .joins_all = kind::cluster,
            .max_depth = 1,
            .bytes = bytes,
            .is_commutative = true,
            .ranks = nodes * ranks_of_node,
            .uses_memory = uses_memory,
            .ranks_of_node = ranks_of_node,
            .least_of_node = ranks_of_node,
            .node_count = nodes};
}

/// What is known where messages between objects were measured.
cost_sources measured_between(kind joined, const topo::model::plogp& messages) {
    topo::model::machine_parameters parameters;
    parameters.levels.push_back({joined, 10, 0, {}});
    parameters.levels.front().messages.single = messages;
    cost_sources known;
    known.measured = std::make_shared<const topo::detail::machine_costs>(topo::detail::costs_by(parameters));
    return known;
}

bool holds(const std::vector<const plan*>& all, const plan& one) {
    return std::ranges::any_of(all, [&](const plan* each) { return *each == one; });
}

bool is_through_memory(const plan& what) {
    return what.uses == algorithm::hierarchical && what.loop.rules.front().is_within;
}

} // namespace

TEST_CASE("any key of any verb has candidates that serve it, the MPI's own among them, and an answer") {
    for (int number = 0; number <= static_cast<int>(verb::exclusive_scan); ++number)
        for (const kind joins : {kind::cluster, kind::network_switch, kind::machine})
            for (const int depth : {0, 1, 2})
                for (const bool memory : {true, false})
                    for (const bool oversubscribed : {true, false})
                        for (const call_form form :
                             {call_form::blocking, call_form::at_once, call_form::at_once_with_places,
                              call_form::prepared_with_posts, call_form::prepared})
                            for (const bool commutes : {true, false})
                                for (const int least : {0, 3, 8})
                                    for (const std::size_t bytes : sizes) {
                                        const call_key now{.what = static_cast<verb>(number),
                                                           .joins_all = joins,
                                                           .max_depth = depth,
                                                           .bytes = bytes,
                                                           .is_commutative = commutes,
                                                           .ranks = 30,
                                                           .uses_memory = memory,
                                                           .is_oversubscribed = oversubscribed,
                                                           .ranks_of_node = 8,
                                                           .least_of_node = least,
                                                           .node_count = 4,
                                                           .form = form};
                                        const bool waits = form == call_form::blocking;
                                        if (!waits && !serves_in_background(algorithm::flat, now.what))
                                            continue;
                                        REQUIRE(holds(candidates_for(now), plan_of<topo::flat>));
                                        const plan chosen = decide(now);
                                        REQUIRE(serves(chosen.uses, now.what));
                                        const bool is_posted = form == call_form::prepared_with_posts &&
                                                               chosen.uses == algorithm::hierarchical;
                                        if (!waits && !is_posted)
                                            REQUIRE(serves_in_background(chosen.uses, now.what));
                                        if (form == call_form::at_once)
                                            REQUIRE_FALSE(chosen.tree.needs_nodes());
                                        if (combines(now.what) && !commutes) {
                                            REQUIRE_FALSE(reorders(chosen.uses));
                                            REQUIRE(chosen.tree.keeps_order());
                                        }
                                    }
}

TEST_CASE("with memory in nodes both what goes through it and what goes in messages are candidates") {
    for (const verb what : verbs_with_models) {
        const auto all = candidates_for(on_nodes(what, 10, 24, 1024, true));
        CHECK(std::ranges::any_of(all, [](const plan* each) { return is_through_memory(*each); }));
        CHECK(std::ranges::any_of(all, [](const plan* each) {
            return each->uses != algorithm::flat && !is_through_memory(*each);
        }));
        for (const plan* each : candidates_for(on_nodes(what, 10, 24, 1024, false)))
            CHECK_FALSE(is_through_memory(*each));
        CHECK(rank_plans(on_nodes(what, 10, 24, 1024, true)).size() > 4);
    }
}

TEST_CASE(
    "a short message goes through the memory of full nodes; where there is none, as the tuned table says") {
    for (const verb what : verbs_with_models)
        for (const int nodes : {4, 10, 32}) {
            const std::size_t bytes = what == verb::barrier ? 0 : 8;
            CHECK(is_through_memory(decide(on_nodes(what, nodes, 48, bytes, true))));
            if (nodes < 64)
                CHECK(decide(on_nodes(what, nodes, 48, bytes, false)) ==
                      topo::detail::choose(on_nodes(what, nodes, 48, bytes, false)));
        }
}

TEST_CASE("uneven nodes with shared memory, many nodes and another network are left to the models") {
    const auto from = [](const call_key& now, const cost_sources& known = {}) {
        return rank_plans(now, known).front().from;
    };
    call_key now = on_nodes(verb::all_reduce, 6, 16, 262144, false);
    CHECK(from(now) == cost_origin::tuned_table);
    now.least_of_node = 4;
    now.ranks = 80;
    CHECK(from(now) == cost_origin::tuned_table);
    now.uses_memory = true;
    CHECK(from(now) == cost_origin::usual_network);
    CHECK(from(on_nodes(verb::all_reduce, 64, 16, 8, false)) == cost_origin::usual_network);
    CHECK(from(on_nodes(verb::all_gather, 64, 16, 8, false)) == cost_origin::tuned_table);
    cost_sources slow;
    slow.network = &topo::model::ethernet_10;
    CHECK(from(on_nodes(verb::all_reduce, 6, 16, 8, false), slow) == cost_origin::usual_network);
}

TEST_CASE("plans are ranked by their times, each once, and the first is decided for") {
    for (const verb what : verbs_with_models)
        for (const bool memory : {true, false})
            for (const int nodes : {2, 10})
                for (const std::size_t bytes : sizes) {
                    const auto now = on_nodes(what, nodes, 16, what == verb::barrier ? 0 : bytes, memory);
                    const auto all = rank_plans(now);
                    REQUIRE_FALSE(all.empty());
                    CHECK(decide(now) == all.front().what);
                    for (std::size_t i = 1; i < all.size(); ++i) {
                        REQUIRE(all[i].seconds);
                        CHECK(*all[i].seconds > 0);
                        if (i > 1) CHECK(*all[i].seconds >= *all[i - 1].seconds);
                        CHECK(all[i].what != all[0].what);
                    }
                }
}

TEST_CASE("no collective of the MPI's own is chosen by what the models take its algorithm to be") {
    using topo::detail::composed;
    for (const verb what : verbs_with_models)
        for (const int nodes : {2, 4, 16, 100})
            for (const int here : {1, 4, 16})
                for (const std::size_t bytes : sizes) {
                    const plan chosen =
                        decide(on_nodes(what, nodes, here, what == verb::barrier ? 0 : bytes, true));
                    const auto by_mpi = [&](const composed& each) {
                        const bool is_short = bytes <= topo::direct_messages::most_bytes &&
                                              nodes <= topo::direct_messages::most_ranks &&
                                              (what == verb::broadcast || what == verb::reduce);
                        const bool is_mpi = each.between == composed::between_form::mpi ||
                                            (each.between == composed::between_form::direct && !is_short);
                        return is_mpi && *each.of_nodes == chosen;
                    };
                    CAPTURE(topo::to_string(chosen));
                    CHECK(std::ranges::none_of(topo::detail::composed_candidates, by_mpi));
                    if (here > 1) CHECK(chosen.uses != algorithm::flat);
                }
}

TEST_CASE("what a node's memory costs, by hand") {
    const auto costs = topo::detail::machine_costs::of(nullptr);
    const auto shared_then_mpi = *topo::detail::composed_candidates.front().of_nodes;
    // Two nodes of one rank: nothing inside, and a message there and back at a time.
    const double alone = *seconds_of(shared_then_mpi, on_nodes(verb::barrier, 2, 1, 0, true), costs);
    CHECK(alone == doctest::Approx(2.6e-6).epsilon(0.01));
    // Of four ranks each the last signals of three lines, and a signal back.
    const double of_four = *seconds_of(shared_then_mpi, on_nodes(verb::barrier, 2, 4, 0, true), costs);
    CHECK(of_four - alone == doctest::Approx(2 * 2.5e-7 + 2 * 128 * 1e-10));
    // A broadcast of 64 bytes: a copy into the signal's line and one out of it.
    const double sent = *seconds_of(shared_then_mpi, on_nodes(verb::broadcast, 2, 1, 64, true), costs);
    const double sent_on = *seconds_of(shared_then_mpi, on_nodes(verb::broadcast, 2, 4, 64, true), costs);
    CHECK(sent_on - sent == doctest::Approx(2.5e-7 + 2 * 64 * 1e-10));
    // Eight blocks of 8 bytes of a rank in three steps: copied twice, two meetings, a message of 16 blocks.
    const call_key all_to_all = on_nodes(verb::all_to_all, 2, 4, 8, true);
    const double meeting = 2.5e-7 + 2 * 128 * 1e-10;
    const double carried = *seconds_of(plan_of<topo::node_aggregated<4, 65536>>, all_to_all, costs);
    CHECK(carried == doctest::Approx(2 * 64 * 1e-10 + 2 * meeting + 2.6e-6 + 127 * 8e-11));
    // In two steps: copied once, one meeting, a message of four blocks.
    const double sent_to_node = *seconds_of(plan_of<topo::node_aggregated<4, 1>>, all_to_all, costs);
    CHECK(sent_to_node == doctest::Approx(64 * 1e-10 + meeting + 2.6e-6 + 31 * 8e-11));
}

TEST_CASE("the ranks of a node share its memory, however they move data in it") {
    const auto costs = topo::detail::machine_costs::of(nullptr);
    constexpr std::size_t bytes = 1 << 20;
    const auto seconds = [&](const plan& what, verb call, int ranks) {
        return *seconds_of(what, on_nodes(call, 2, ranks, bytes, true), costs);
    };
    const plan& through_memory = *topo::detail::composed_candidates.back().of_nodes;
    const plan& in_rounds = plan_of<topo::k_ary_rabenseifner<16, 256>>;
    const plan& in_segments = plan_of<topo::segmented<8192, topo::binary>>;
    for (const plan& what : {through_memory, in_rounds, in_segments}) {
        CAPTURE(topo::to_string(what));
        for (const verb call : {verb::reduce, verb::all_reduce}) {
            const double least = 256 * static_cast<double>(bytes) / 200e9;
            CHECK(seconds(what, call, 256) > 0.9 * least);
            CHECK(seconds(what, call, 256) > 2 * seconds(what, call, 32));
        }
    }
}

TEST_CASE("between many full nodes all ranks exchange short messages, and slices of longer ones") {
    const plan by_all = plan_of<
        topo::hierarchical<topo::within<kind::machine, topo::shared>, topo::otherwise<topo::multi_object>>>;
    const plan in_lanes = plan_of<topo::hierarchical<topo::within<kind::machine, topo::shared>,
                                                     topo::otherwise<topo::rounds_in_lanes<16>>>>;
    for (const verb what : verbs_with_models) {
        const std::size_t bytes = what == verb::barrier ? 0 : 8;
        CHECK(decide(on_nodes(what, 10, 24, bytes, true)) == by_all);
        CHECK_FALSE(decide(on_nodes(what, 60, 2, bytes, true)) == by_all); // 30 messages of each rank
    }
    CHECK(decide(on_nodes(verb::all_reduce, 10, 24, 32768, true)) == in_lanes);
    // As many lanes as the smallest node has ranks, and those of larger nodes wait for them.
    const auto costs = topo::detail::machine_costs::of(nullptr);
    call_key now = on_nodes(verb::all_reduce, 10, 24, 32768, true);
    const double of_equal_nodes = *seconds_of(in_lanes, now, costs);
    now.least_of_node = 20;
    CHECK(*seconds_of(in_lanes, now, costs) > of_equal_nodes);
    now.least_of_node = 1;
    CHECK_FALSE(seconds_of(in_lanes, now, costs));
    // Three signals of a node before and after a message to each of three others.
    const double signals = 2.5e-7 + 2 * 128 * 1e-10;
    CHECK(*seconds_of(by_all, on_nodes(verb::barrier, 4, 4, 0, true), costs) ==
          doctest::Approx(2 * signals + 2.6e-6).epsilon(0.001));
    // The sums of nine nodes of 64 KiB do not fit into what a rank has for them.
    CHECK_FALSE(seconds_of(by_all, on_nodes(verb::all_reduce, 9, 4, 65536, true), costs));
}

TEST_CASE("among one rank of each node all_gathers and reduce_scatters go in rounds, also where others take "
          "lanes") {
    for (const auto& [what, doubles] : {std::pair{verb::all_gather, algorithm::recursive_doubling},
                                        std::pair{verb::all_gatherv, algorithm::recursive_doubling},
                                        std::pair{verb::reduce_scatter, algorithm::recursive_halving}})
        for (const int nodes : {4, 10, 13, 24, 32})
            for (const std::size_t block : {8UL, 2048UL, 16384UL}) {
                const std::size_t bytes =
                    what == verb::reduce_scatter ? block * static_cast<std::size_t>(nodes) : block;
                call_key now = on_nodes(what, nodes, 1, bytes, true);
                CAPTURE(nodes);
                CAPTURE(block);
                CHECK(decide(now).uses == doubles);
                now.form = call_form::at_once;
                CHECK(rank_plans(now).front().from == cost_origin::tuned_table);
            }
    // 13 is prime: with fewer than 13 in a round, one of them would send its data on, and wait for all of the
    // result.
    CHECK(decide(on_nodes(verb::all_gather, 13, 1, 32768, true)).radix >= 13);
    // What must keep the order of ranks goes along trees that do, and a long block in pieces.
    call_key now = on_nodes(verb::reduce_scatter, 10, 1, 1024, true);
    now.is_commutative = false;
    CHECK(decide(now).uses == algorithm::tree);
    CHECK(decide(now).tree.keeps_order());
    now.what = verb::all_gatherv;
    CHECK(decide(now).uses == algorithm::circulant);
}

TEST_CASE("in a machine of several NUMA nodes short messages go through their memory") {
    call_key now{.what = verb::all_reduce,
                 .joins_all = kind::machine,
                 .max_depth = 2,
                 .bytes = 8,
                 .is_commutative = true,
                 .ranks = 160,
                 .ranks_of_node = 160,
                 .parts = {10, 2},
                 .numa_levels = 2};
    CHECK(now.numa_nodes() == 20);
    const plan in_rounds = plan_of<topo::hierarchical<topo::within<kind::numa_node, topo::shared>,
                                                      topo::otherwise<topo::rounds_in_level<4>>>>;
    CHECK(holds(candidates_for(now), in_rounds));
    CHECK(is_through_memory(decide(now)));
    CHECK(rank_plans(now).front().from == cost_origin::usual_network);
    now.bytes = 1 << 20;
    CHECK_FALSE(is_through_memory(decide(now)));
    now.numa_levels = 0; // the levels are parts of one NUMA node
    CHECK_FALSE(holds(candidates_for(now), in_rounds));
    CHECK(decide(now) == topo::detail::choose(now));
    now.numa_levels = 2;
    now.ranks = 20; // one rank on each NUMA node
    CHECK_FALSE(holds(candidates_for(now), in_rounds));
}

TEST_CASE(
    "of plans with nearly the same time the one is chosen that other networks do not make much slower") {
    const auto seconds_on = [](const plan& what, const call_key& now, double latency, double per_byte) {
        return seconds_of(what, now,
                          topo::detail::machine_costs::of(nullptr, {latency, per_byte, latency, per_byte}))
            .value();
    };
    int others_chosen = 0;
    for (const verb what : {verb::broadcast, verb::reduce, verb::all_reduce})
        for (const int nodes : {2, 6, 10, 16, 32, 100})
            for (const int ranks_of_node : {1, 4, 16})
                // Every other power of two, by turns, for each takes the models all candidates.
                for (std::size_t bytes = ranks_of_node == 4 ? 16 : 8; bytes <= 1 << 20; bytes *= 4) {
                    const call_key now = on_nodes(what, nodes, ranks_of_node, bytes, true);
                    const auto ranked = rank_plans(now);
                    const plan& chosen = ranked.front().what;
                    const plan& fastest = ranked.at(1).what;
                    if (ranked.front().from != cost_origin::several_networks) continue;
                    ++others_chosen;
                    CAPTURE(nodes);
                    CAPTURE(ranks_of_node);
                    CAPTURE(bytes);
                    CHECK(bytes <= 25000);
                    CHECK(seconds_on(chosen, now, 1, 1) <= 1.25 * seconds_on(fastest, now, 1, 1));
                    // Ten times the time of a byte, or half: on one of both the other is further behind.
                    CHECK(std::max(seconds_on(fastest, now, 5, 10) / seconds_on(chosen, now, 5, 10),
                                   seconds_on(fastest, now, 0.5, 0.5) / seconds_on(chosen, now, 0.5, 0.5)) >
                          1);
                    cost_sources known;
                    known.network = &topo::model::hdr_infiniband;
                    CHECK(rank_plans(now, known).front().from == cost_origin::usual_network);
                }
    CHECK(others_chosen > 10);
    CHECK(decide(on_nodes(verb::broadcast, 16, 16, 16384, true)) ==
          plan_of<topo::hierarchical<topo::within<kind::machine, topo::shared>,
                                     topo::otherwise<topo::rounds_in_lanes<4>>>>);
}

TEST_CASE(
    "how long parts go along lanes whole is chosen for short all_reduces, where it makes a difference") {
    const auto in_lanes = [](const call_key& now) {
        std::vector<const plan*> found;
        for (const plan* each : candidates_for(now))
            if (is_through_memory(*each) && each->loop.rules.back().algorithm.radix_of_lanes > 0)
                found.push_back(each);
        return found;
    };
    using std::size_t;
    for (const verb what : verbs_with_models)
        for (const int nodes : {4, 6, 10, 17, 24})
            for (const int ranks_of_node : {2, 4, 24, 128})
                for (size_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
                    const call_key now = on_nodes(what, nodes, ranks_of_node, bytes, true);
                    const auto found = in_lanes(now);
                    CAPTURE(nodes);
                    CAPTURE(ranks_of_node);
                    CAPTURE(bytes);
                    REQUIRE(found.size() >= 2);
                    if (what != verb::all_reduce || bytes > 25000) REQUIRE(found.size() == 2);
                    const auto costs = topo::detail::machine_costs::of(nullptr);
                    for (size_t i = 0; i < found.size(); ++i)
                        for (size_t j = 0; j < i; ++j)
                            if (found[i]->loop.rules.back().algorithm.radix_of_lanes ==
                                found[j]->loop.rules.back().algorithm.radix_of_lanes)
                                CHECK(seconds_of(*found[i], now, costs) != seconds_of(*found[j], now, costs));
                }
    // A lane's part of 1 KiB: four lanes of a node share its link, or 24.
    const auto seconds = [](const plan& what, const call_key& now) {
        return *seconds_of(what, now, topo::detail::machine_costs::of(nullptr));
    };
    const call_key few = on_nodes(verb::all_reduce, 6, 4, 4096, true);
    const call_key many = on_nodes(verb::all_reduce, 6, 24, 24576, true);
    const plan& divided = topo_test::through_nodes<topo::rounds_in_lanes<16>>;
    const plan& whole = topo_test::through_nodes<topo::rounds_in_lanes<16, 2048>>;
    CHECK(seconds(whole, few) < 0.8 * seconds(divided, few));
    CHECK(seconds(whole, many) > seconds(divided, many));
    CHECK(decide(few) == whole);
}

TEST_CASE(
    "between more NUMA nodes than it sends to, direct_messages is the MPI's own and not chosen by models") {
    const plan direct = plan_of<topo::hierarchical<topo::within<kind::numa_node, topo::shared>,
                                                   topo::otherwise<topo::direct_messages>>>;
    for (const verb what : {verb::broadcast, verb::reduce})
        for (std::size_t bytes = 512; bytes <= 8192; bytes += 512) {
            const call_key now{.what = what,
                               .joins_all = kind::machine,
                               .max_depth = 2,
                               .bytes = bytes,
                               .is_commutative = true,
                               .ranks = 160,
                               .ranks_of_node = 160,
                               .parts = {10, 2},
                               .numa_levels = 2};
            CAPTURE(bytes);
            CHECK(decide(now) != direct);
        }
}

TEST_CASE("in a machine of several NUMA nodes long blocks of all_gather go from neighbour to neighbour") {
    call_key now{.what = verb::all_gather,
                 .joins_all = kind::machine,
                 .max_depth = 2,
                 .bytes = 16384,
                 .ranks = 160,
                 .ranks_of_node = 160,
                 .parts = {10, 2},
                 .numa_levels = 2};
    const auto goes_by = [&](std::size_t bytes) {
        now.bytes = bytes;
        return decide(now).uses;
    };
    CHECK(goes_by(1024) == algorithm::shared_by_numa_node);
    CHECK(goes_by(16384) == algorithm::recursive_doubling);
    CHECK(goes_by(32768) == algorithm::neighbour_exchange); // two of them are copied once
    CHECK(goes_by(1 << 20) == algorithm::neighbour_exchange);
    now.numa_levels = 0;
    CHECK(goes_by(1 << 20) == algorithm::recursive_doubling);
}

TEST_CASE("short blocks of all_to_all go together, long ones from rank to rank") {
    for (const int nodes : {4, 10, 32}) {
        const auto chosen = [&](std::size_t bytes, bool memory) {
            return decide(on_nodes(verb::all_to_all, nodes, 24, bytes, memory));
        };
        CHECK(chosen(8, true).uses == algorithm::node_aggregated);
        CHECK(chosen(32768, true).uses == algorithm::pairwise);
        CHECK(chosen(8, false).uses == algorithm::recursive_doubling);
        CHECK(chosen(32768, false).uses == algorithm::pairwise);
    }
    // More than 64 MiB of a node do not go through its memory.
    const call_key large = on_nodes(verb::all_to_all, 32, 32, 4096, true);
    CHECK_FALSE(
        seconds_of(plan_of<topo::node_aggregated<4, 1>>, large, topo::detail::machine_costs::of(nullptr)));
}

TEST_CASE("measured messages count more than those of a usual network") {
    const topo::model::plogp slow{1e-3, {{1, 1e-6, 1e-6, 1e-6}, {1e6, 1e-6, 1e-6, 1e-2}}};
    const auto now = on_nodes(verb::broadcast, 10, 24, 8, false);
    const auto ranked = rank_plans(now, measured_between(kind::cluster, slow));
    CHECK(ranked.front().from == cost_origin::measured_parameters);
    CHECK(*ranked.front().seconds > 1e-3);
    // Parameters of one node say nothing of messages between nodes.
    const auto inside = rank_plans(now, measured_between(kind::machine, slow));
    CHECK(inside.front().from == cost_origin::tuned_table);
}

TEST_CASE("pieces go to far nodes where messages were measured and no switches narrow the network") {
    const cost_sources known =
        measured_between(kind::cluster, {1e-6, {{1, 3e-7, 3e-7, 3e-7}, {1e6, 3e-7, 3e-7, 1e-4}}});
    for (const verb what : {verb::broadcast, verb::reduce})
        for (const int ranks_of_node : {1, 24}) {
            auto now = on_nodes(what, 10, ranks_of_node, std::size_t{1} << 19, true);
            const auto in_pieces = [&](const cost_sources& costs) {
                return std::ranges::any_of(rank_plans(now, costs), [](const auto& each) {
                    const std::string text = topo::to_string(each.what);
                    return text.find("circulant") != std::string::npos;
                });
            };
            CHECK(in_pieces(known));
            CHECK_FALSE(in_pieces({}));
            now.max_depth = 2;
            now.levels_above = 1;
            CHECK_FALSE(in_pieces(known));
        }
}

TEST_CASE("a long all_reduce among a prime number of nodes goes on a circulant graph") {
    const auto uses = [](int nodes, std::size_t bytes, int ranks_of_node = 1) {
        return decide(on_nodes(verb::all_reduce, nodes, ranks_of_node, bytes, true), {}).uses;
    };
    CHECK(uses(19, std::size_t{1} << 17) == algorithm::circulant);
    CHECK(uses(19, std::size_t{1} << 17, 8) != algorithm::circulant); // among all ranks
    CHECK(uses(19, 8) != algorithm::circulant);
    CHECK(uses(16, std::size_t{1} << 17) != algorithm::circulant);

    using topo::detail::is_circulant_faster;
    CHECK(is_circulant_faster(19, 4, 65536));
    CHECK_FALSE(is_circulant_faster(19, 4, 512));
    CHECK_FALSE(is_circulant_faster(20, 4, 65536));
    CHECK_FALSE(is_circulant_faster(16, 16, 65536));
}

TEST_CASE("an all_gatherv with a block much longer than the others goes on a circulant graph between nodes") {
    for (const int ranks_of_node : {1, 24}) {
        auto now = on_nodes(verb::all_gatherv, 10, ranks_of_node, 8192, false);
        CHECK(topo::detail::choose(now).uses != algorithm::circulant);
        now.is_commutative = false; // of this verb: blocks differ
        CHECK(topo::detail::choose(now).uses == algorithm::circulant);
        CHECK(topo::detail::choose_in_background(now).uses == algorithm::circulant);
    }
    const auto with_memory = on_nodes(verb::all_gatherv, 10, 24, 8192, true);
    CHECK(topo::detail::choose(with_memory).uses == algorithm::node_aggregated);

    using topo::detail::has_long_block;
    CHECK(has_long_block(100000, 100000, 4));
    CHECK_FALSE(has_long_block(10000, 10000, 4));
    CHECK_FALSE(has_long_block(100000, 400000, 4)); // all are equal
    CHECK_FALSE(has_long_block(100000, 100000, 2)); // one message in any case
}

TEST_CASE("classes of lengths cover all lengths, and begin where they say") {
    std::size_t last = 0;
    for (std::size_t bytes = 0; bytes < 5000; ++bytes) {
        const std::size_t at = length_class::of(bytes);
        CHECK(at >= last);
        CHECK(length_class::least(at) <= bytes);
        CHECK(length_class::of(length_class::least(at)) == at);
        last = at;
    }
    for (const std::size_t bytes :
         {std::size_t{8}, std::size_t{12288}, std::size_t{65536}, std::size_t{1} << 40})
        CHECK(length_class::least(length_class::of(bytes)) == bytes);
    CHECK(length_class::of(static_cast<std::size_t>(-1)) < length_class::count);
}

} // namespace decide_tests
