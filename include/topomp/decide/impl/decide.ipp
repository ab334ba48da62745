// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/flat_in_background.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/decide/detail/tuned_node.hpp>
#include <topomp/decide/detail/usual_messages.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan_of.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::string_view to_string(cost_origin from) {
    constexpr std::array<std::string_view, 7> names{"tuning file",
                                                    "model with measured parameters",
                                                    "tuned table",
                                                    "model of a usual network",
                                                    "models of usual networks",
                                                    "rule",
                                                    "no model"};
    return names[static_cast<std::size_t>(from)];
}

/// Whether a persistent form may go through memory, where a start raises signals.
constexpr bool goes_in_posts(verb what) { return what == verb::all_reduce || what == verb::barrier; }

[[gnu::cold]] TOPOMP_INLINE bool can_serve(const plan& what, const call_key& now) {
    const bool is_posted = now.form == call_form::prepared_with_posts &&
                           what.uses == algorithm::hierarchical && goes_in_posts(now.what);
    if (now.form != call_form::blocking && !is_posted && !serves_in_background(what.uses, now.what))
        return false;
    // The call would wait for the ranks' places.
    if (now.form == call_form::at_once && (needs_places(what.uses) || what.tree.needs_nodes())) return false;
    // Which ranks are in a lane is not among the places.
    if (now.form == call_form::at_once_with_places && what.uses == algorithm::lanes) return false;
    if (now.form == call_form::prepared_among_first && follows_order_of_starts(what.uses)) return false;
    if (!serves(what.uses, now.what)) return false;
    const bool is_ordered = !now.is_commutative || is_scan(now.what);
    return !combines(now.what) || !is_ordered || (!reorders(what.uses) && what.tree.keeps_order());
}

/// Whether a candidate is one of a verb.
constexpr bool is_tried(const candidate& each, verb what) {
    return std::ranges::any_of(each.tried, [&](const tried_for& one) { return one.what.contains(what); });
}

/// Whether there are several nodes, or NUMA nodes of one machine, whose ranks move data in common memory.
constexpr bool has_memory_of_parts(const call_key& now) {
    const bool has_parts = now.crosses_nodes() ? now.ranks_of_node > 1 : now.has_numa_nodes();
    return now.has_levels() && now.uses_memory && has_parts;
}

/// The plan among all ranks, or among one rank of each node.
constexpr const plan& plan_among(const plan& what, const call_key& now) {
    const composed* const two = find_composed(what, now.crosses_nodes());
    return two != nullptr ? *two->parameters : what;
}

constexpr bool is_circulant(const plan& what, const call_key& now) {
    return plan_among(what, now).uses == algorithm::circulant;
}

/// Short messages take the network less time than its latency. Long ones, and exchanges of all with all, take
/// the time of a byte on any network, and to choose for other networks lost more than it gained: of 25 calls
/// of 64 KiB to 1 MiB it made 15 slower by 5 to 37 % and six faster by 3 to 27 %.
constexpr bool is_latency_bound(const call_key& now) {
    constexpr double short_bytes =
        usual_between_nodes.single.latency / usual_between_nodes.single.seconds_per_byte;
    return now.what != verb::all_to_all && static_cast<double>(now.bytes) <= short_bytes;
}

/// Whether an earlier candidate in lanes sends the same messages, or is to be preferred to this one. They
/// differ in the longest part that an all_reduce exchanges whole: that makes a difference if the number of
/// rounds that divide a part does, and pays in short messages, because it sends more bytes in fewer rounds.
/// Among ten nodes 512 KiB took 309 us if parts up to 512 bytes were whole and 357 if up to 2 KiB were, which
/// the models take to need 301 and 293.
[[gnu::cold]] TOPOMP_INLINE bool is_like_earlier(const composed& one, const call_key& now) {
    using form = composed::between_form;
    if (one.between != form::lanes) return false;
    const int nodes = among_parts(now).nodes(), radix = one.parameters->radix;
    const double slice = slice_in_lanes(now);
    const radices rounds{nodes, {}, radix};
    const bool is_divided =
        is_latency_bound(now) && !is_circulant_faster(nodes, radix, static_cast<std::size_t>(slice));
    const auto dividing_rounds = [&](const composed& each) {
        int count = 0;
        if (!is_divided) return count;
        double bytes = slice;
        for (const int ranks : rounds.all()) {
            if (bytes <= static_cast<double>(each.parameters->whole_bytes)) break;
            bytes /= ranks;
            ++count;
        }
        return count;
    };
    for (const composed* each = composed_candidates.data(); each != &one; ++each)
        if (each->between == form::lanes && each->parameters->radix == radix &&
            dividing_rounds(*each) == dividing_rounds(one))
            return true;
    return false;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<const plan*> candidates_for(const call_key& now) {
    std::vector<const plan*> all;
    const auto add = [&](const plan* each) {
        // Only all_reduce depends on the radix, and two is too few. Among one rank of each node it is in
        // rounds.
        if (const plan& among = plan_among(*each, now);
            among.uses == algorithm::circulant && (among.radix > 2) != (now.what == verb::all_reduce))
            return;
        if (can_serve(*each, now) && std::ranges::none_of(all, [&](auto* one) { return *one == *each; }))
            all.push_back(each);
    };
    static constexpr plan in_node{algorithm::hierarchical, {}, {through_memory}};
    if (now.has_levels())
        for (const candidate& each : candidates)
            if (each.between_nodes != &plan_of<flat>)
                add(now.crosses_nodes() ? each.between_nodes : each.inside_machine);
    if (has_memory_of_parts(now)) {
        for (const composed& each : composed_candidates)
            if (is_tried(each, now.what) && !is_like_earlier(each, now)) add(each.what(now.crosses_nodes()));
        for (const candidate& each : candidates_in_memory)
            if (is_tried(each, now.what) &&
                (now.crosses_nodes() || *each.inside_machine != *each.between_nodes))
                add(now.crosses_nodes() ? each.between_nodes : each.inside_machine);
    }
    if (!now.crosses_nodes() && now.uses_memory) {
        add(&in_node);
        add(&plan_of<shared>);
    }
    add(&plan_of<flat>);
    return all;
}

/// Whether enough candidates of a verb have a model to choose among them. Lanes of blocks, and trees in the
/// order of ranks for reduce_scatter, have no model. Lanes are no candidates worth choosing only where each
/// node has one rank, which then sends to all others directly.
constexpr bool has_models(const call_key& now) {
    switch (now.what) {
    case verb::barrier:
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
    case verb::all_to_all:
        return true;
    case verb::all_gather:
        return now.ranks_of_node == 1;
    case verb::all_gatherv:
        return now.ranks_of_node == 1 && !now.has_long_block();
    case verb::reduce_scatter:
        return now.ranks_of_node == 1 && now.is_commutative;
    default:
        return false;
    }
}

/// Twice as many nodes as the largest of scripts/tune's platforms has: the limit up to which the tuned table
/// applies.
inline constexpr int nodes_not_measured = 64;

/// Whether models can choose for such a key: between nodes, or NUMA nodes with memory, whose ranks take part
/// without delay; or between one rank of each node, but for what rules say of those that are delayed.
constexpr bool are_models_for(const call_key& now) {
    const bool has_parts =
        now.crosses_nodes() ? now.has_levels() : has_memory_of_parts(now) && now.what != verb::all_to_all;
    const bool has_rule = now.is_oversubscribed && (now.ranks_of_node > 1 || choose_oversubscribed(now));
    return has_parts && !has_rule && now.form == call_form::blocking && has_models(now);
}

/// Whether the tuned table, which is for many ranks of a node, is for one of each, too. On 16 nodes a
/// reduction of 64 KiB took 202 us by it and 44 by the model's choice. Chains of long reductions are the
/// table's: between four hosts with 1 Gbit/s 512 KiB in four lanes took 3.0 ms along these and 4.8 in rounds,
/// whose root receives half as much again. With as many pieces as nodes a chain sends no more than rounds,
/// but has more steps.
constexpr bool is_in_table_among_leaders(const call_key& now) {
    constexpr int few = 4;
    constexpr std::size_t piece = 32768;
    const int pieces = now.nodes() <= few ? now.nodes() : 2 * now.nodes();
    const std::size_t shortest_in_chain = piece * static_cast<std::size_t>(pieces);
    return now.what == verb::reduce && now.bytes >= shortest_in_chain;
}

/// Whether models choose between what goes through memory and what goes in messages.
constexpr bool has_both(const call_key& now) { return are_models_for(now) && has_memory_of_parts(now); }

/// Whether the tuned table was measured for keys like this one: where all that ranks exchange is messages.
constexpr bool is_in_table(const call_key& now) {
    if (!are_models_for(now)) return true;
    if (now.ranks_of_node == 1 && !is_in_table_among_leaders(now)) return false;
    return now.nodes() < nodes_not_measured && !has_both(now);
}

/// Whether the model of a plan looks at each rank. Where nodes have memory, such trees of messages over very
/// many ranks are not considered, and trees that follow nodes rank by rank not at all: those through memory
/// have fewer steps, and their models look at nodes only.
constexpr bool is_along_ranks(const plan& what) {
    return what.uses == algorithm::tree || what.uses == algorithm::split_trees;
}

/// Whether a collective of the MPI's own joins the nodes, or NUMA nodes, whose model covers only the usual
/// algorithms.
constexpr bool is_of_mpi(const plan& what, const call_key& now) {
    using form = composed::between_form;
    if (what.uses == algorithm::flat) return true;
    const composed* const two = find_composed(what, now.crosses_nodes());
    return two != nullptr &&
           (two->between == form::mpi || (two->between == form::direct && !sends_directly(among_parts(now))));
}

/// Whether `circulant`, by which all ranks send to far ones at the same time, can be chosen. For all_reduce:
/// for one rank of each node. Among all 96 ranks of 12 NUMA nodes 128 KiB took 209 us so and 102 otherwise.
/// For broadcast and reduce: if it is known what a piece costs, and if the network has a link for each node.
/// Among 24 nodes under narrow switches a broadcast of 512 KiB took 130 us so and 115 in rounds; among 16
/// nodes whose network takes a third of the usual time for a byte one of 128 KiB took 26 and 16.
constexpr bool may_be_circulant(const call_key& now, bool has_own_costs) {
    if (now.what == verb::all_reduce) return now.crosses_nodes() && now.ranks_of_node == 1;
    return now.levels_above == 0 && has_own_costs;
}

[[gnu::cold]] TOPOMP_INLINE plan best_in_table(const call_key& now) {
    return now.form == call_form::blocking ? choose(now) : choose_in_background(now);
}

[[gnu::cold]] TOPOMP_INLINE costs_and_origin costs_for(const call_key& now, const cost_sources& known) {
    if (known.measured != nullptr && known.measured->were_measured(now.crosses_nodes()))
        return {*known.measured, cost_origin::measured_parameters};
    return {machine_costs::of(known.network), cost_origin::usual_network};
}

/// Whether it is known what messages cost where those of a key go.
[[gnu::cold]] TOPOMP_INLINE bool has_costs_of_its_own(const call_key& now, const cost_sources& known) {
    return known.network != nullptr ||
           (known.measured != nullptr && known.measured->were_measured(now.crosses_nodes()));
}

/// Whether the tuned table chooses where no tuning file does. A form that starts at once takes the times that
/// models have of the blocking one, but where these look at very many ranks, one by one.
[[gnu::cold]] TOPOMP_INLINE bool goes_by_table(const call_key& now, const cost_sources& known) {
    if (!is_in_table(now)) return false;
    call_key blocking = now;
    blocking.form = call_form::blocking;
    const bool has_too_many = now.form != call_form::blocking && now.ranks > many_ranks;
    return has_too_many || !are_models_for(blocking) || !has_costs_of_its_own(now, known);
}

/// Plans of short messages whose modelled times on the usual network are at most so many times the least are
/// as good as each other to a caller of whose network nothing is known.
inline constexpr double nearly_equal = 1.25;

/// The plan to decide for among those that models have ranked. What the MPI would do is not known: it is
/// decided for only if there is nothing else. Where nothing is known of the network, of plans that move a
/// short message in nearly the same time on the usual one the one that is never far behind them on others:
/// with 10 Gbit/s among 16 nodes a broadcast of 16 KiB took 141 us along a tree and 78 in lanes, which the
/// model of the usual network gives 16.7 and 16.9 us.
[[gnu::cold]] TOPOMP_INLINE std::vector<ranked_plan>::iterator
most_robust(std::vector<ranked_plan>& ranked, const call_key& now, bool has_own_costs) {
    const auto is_known = [&](const ranked_plan& each) { return !is_of_mpi(each.what, now); };
    const auto best = std::ranges::find_if(ranked, is_known);
    if (best == ranked.end() || has_own_costs || !is_latency_bound(now)) return best;
    std::vector<std::vector<ranked_plan>::iterator> near;
    for (auto each = best; each != ranked.end() && *each->seconds <= nearly_equal * *best->seconds; ++each)
        if (is_known(*each)) near.push_back(each);
    if (near.size() < 2) return best;
    std::vector<double> behind;
    for (const auto each : near)
        behind.push_back(*each->seconds / *best->seconds);
    for (const other_messages& other : others_than_usual) {
        const auto costs = machine_costs::of(nullptr, other);
        std::vector<double> seconds;
        for (const auto each : near)
            seconds.push_back(seconds_of(each->what, now, costs).value());
        const double least = std::ranges::min(seconds);
        for (std::size_t i = 0; i < near.size(); ++i)
            behind[i] = std::max(behind[i], seconds[i] / least);
    }
    const auto chosen = near[static_cast<std::size_t>(std::ranges::min_element(behind) - behind.begin())];
    if (chosen != best) chosen->from = cost_origin::several_networks;
    return chosen;
}

/// What a tuning file has for a key, the fastest first.
[[gnu::cold]] TOPOMP_INLINE std::vector<ranked_plan> measured_for(const call_key& now,
                                                                  const cost_sources& known) {
    std::vector<ranked_plan> ranked;
    if (known.file == nullptr) return ranked;
    const bool is_wrong_flat = now.form != call_form::blocking && !flat_is_right_in_background(now.what);
    for (const measured_plans::time& each : known.file->times_of(now))
        if (can_serve(*each.what, now) && !(is_wrong_flat && each.what->uses == algorithm::flat))
            ranked.push_back({*each.what, cost_origin::tuning_file, each.seconds});
    std::ranges::stable_sort(ranked, {}, [](const ranked_plan& each) { return *each.seconds; });
    return ranked;
}

/// For a persistent form of which nothing was measured: as the blocking one, if that need not wait. Else
/// reductions on all ranks have half the rounds of trees, and of the MPIs' own non-blocking reductions, by
/// recursive doubling, up to a segment of the usual pipelines: shorter messages are not worth dividing.
[[gnu::cold]] TOPOMP_INLINE plan choose_prepared(const call_key& now, const cost_sources& known,
                                                 const plan& blocking) {
    constexpr std::size_t most_in_doubling = 8192;
    const bool is_flat = blocking.uses == algorithm::flat;
    if (!is_flat && can_serve(blocking, now)) return blocking;
    if (now.form == call_form::prepared_among_first) return plan_of<k_ary_recursive_doubling<4>>;
    if (goes_in_posts(now.what) && now.bytes <= most_in_doubling) return plan_of<recursive_doubling>;
    if (is_flat && flat_is_right_in_background(now.what)) return blocking;
    call_key other = now;
    if (now.what == verb::all_gather || now.what == verb::all_gatherv) {
        other.form = call_form::blocking;
        other.uses_memory = false;
        if (const plan messages = decide(other, known); can_serve(messages, now)) return messages;
        other.uses_memory = now.uses_memory;
    }
    other.form = call_form::at_once_with_places; // all ranks are there to be asked
    return right_in_background(decide(other, known), now.what);
}

[[gnu::cold]] TOPOMP_INLINE plan decide_prepared(const call_key& now, const cost_sources& known,
                                                 const plan& blocking) {
    if (const auto measured = measured_for(now, known); !measured.empty()) return measured.front().what;
    return choose_prepared(now, known, blocking);
}

[[gnu::cold]] TOPOMP_INLINE std::vector<ranked_plan> rank_plans(const call_key& now,
                                                                const cost_sources& known) {
    std::vector<ranked_plan> ranked = measured_for(now, known);
    const auto rank_from = [&](std::size_t first) {
        std::stable_sort(ranked.begin() + static_cast<std::ptrdiff_t>(first), ranked.end(),
                         [](const auto& a, const auto& b) { return *a.seconds < *b.seconds; });
    };
    if (is_prepared(now.form)) {
        if (ranked.empty()) ranked.push_back({decide(now, known), cost_origin::rule});
        return ranked;
    }
    const auto has = [&](const plan& what) {
        return std::ranges::any_of(ranked, [&](const ranked_plan& each) { return each.what == what; });
    };
    const std::size_t measured = ranked.size();

    const auto [costs, from] = costs_for(now, known);
    const bool has_own_costs = has_costs_of_its_own(now, known);
    const bool by_table = goes_by_table(now, known);
    if (const plan table = by_table ? best_in_table(now) : plan{}; by_table && !has(table))
        ranked.push_back({table, cost_origin::tuned_table, seconds_of(table, now, costs)});
    const std::size_t first = ranked.size();
    for (const plan* const each : candidates_for(now)) {
        if (has(*each)) continue;
        if (has_both(now) && (each->tree.node_aware || (now.ranks > many_ranks && is_along_ranks(*each))))
            continue;
        if (is_circulant(*each, now) && !may_be_circulant(now, has_own_costs)) continue;
        if (const auto seconds = seconds_of(*each, now, costs)) ranked.push_back({*each, from, seconds});
    }
    rank_from(first);
    if (first == 0) {
        const auto chosen = most_robust(ranked, now, has_own_costs);
        if (chosen != ranked.end()) std::rotate(ranked.begin(), chosen, chosen + 1);
    }
    if (measured == 0 && ranked.empty()) ranked.push_back({best_in_table(now), cost_origin::rule});
    return ranked;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<ranked_plan> rank_at_least(std::size_t number, const call_key& now,
                                                                   const cost_sources& known) {
    std::vector<ranked_plan> ranked = rank_plans(now, known);
    if (ranked.size() >= number) return ranked;
    const costs_and_origin models = costs_for(now, known);
    std::vector<ranked_plan> timed, others;
    const auto consider = [&](const plan& each) {
        const auto is_it = [&](const ranked_plan& one) { return one.what == each; };
        if (is_circulant(each, now) || !can_serve(each, now)) return;
        for (const auto* list : {&ranked, &timed, &others})
            if (std::ranges::any_of(*list, is_it)) return;
        if (const auto seconds = seconds_of(each, now, models.costs))
            timed.push_back({each, models.from, seconds});
        else
            others.push_back({each, cost_origin::none});
    };
    consider(plan_of<flat>);
    for (const bool is_of_length : {true, false})
        for (const candidate& each : candidates)
            if (std::ranges::any_of(each.tried, [&](const tried_for& one) {
                    return one.what.contains(now.what) &&
                           (!is_of_length || (now.bytes >= one.least && now.bytes <= one.most));
                }))
                consider(now.crosses_nodes() ? *each.between_nodes : *each.inside_machine);
    for (const plan* const each : candidates_for(now))
        consider(*each);
    for (const candidate& each : candidates)
        consider(now.crosses_nodes() ? *each.between_nodes : *each.inside_machine);
    std::ranges::stable_sort(timed, {}, [](const ranked_plan& each) { return *each.seconds; });
    for (const auto* list : {&timed, &others})
        for (const ranked_plan& each : *list)
            if (ranked.size() < number) ranked.push_back(each);
    return ranked;
}

[[gnu::cold]] TOPOMP_INLINE plan decide(const call_key& now, const cost_sources& known) {
    if (is_prepared(now.form)) {
        call_key blocking = now;
        blocking.form = call_form::blocking;
        return decide_prepared(now, known, decide(blocking, known));
    }
    if (const auto measured = measured_for(now, known); !measured.empty()) return measured.front().what;
    if (goes_by_table(now, known)) return best_in_table(now); // most keys need no model
    return rank_plans(now, known).front().what;
}

} // namespace topo::detail
