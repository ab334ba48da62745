// SPDX-License-Identifier: BSL-1.0
/// @file
/// The registry of algorithms: a row for each, the only source of its name, the verbs that it serves and
/// whether it preserves the order of operands.
#pragma once

#include <topomp/plan/detail/verb.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace topo::detail {

/// Every algorithm, in the order of `algorithm_rows`. `none`: a type is no policy. `any`: which one is known
/// only at run time.
enum class algorithm : unsigned char {
    flat,
    hierarchical,
    tree,
    split_trees,
    lanes,
    native_lanes,
    ring,
    neighbour_exchange,
    bruck,
    pairwise,
    dissemination,
    recursive_doubling,
    recursive_halving,
    rabenseifner,
    bine,
    shared,
    k_ary_bruck,
    node_aggregated,
    circulant,
    shared_by_numa_node,
    none,
    any
};

/// A number in angle brackets behind a policy's name.
struct policy_number {
    enum class plan_member : unsigned char { none, radix, whole_bytes };
    static constexpr int must_be_given = -1;

    plan_member is = plan_member::none; ///< what it becomes in a plan; `none`: there is no such number
    int least = 0;
    int usual = must_be_given; ///< if it is left out
};

/// The static properties of an algorithm.
struct algorithm_row {
    algorithm which{};
    std::string_view name{};       ///< as policies and plans have it
    std::string_view short_name{}; ///< the same with the numbers of an empty plan; empty: there is none
    std::array<policy_number, 2> numbers{}; ///< of its policies
    bool has_types = false;       ///< whether its policies have shapes or rules, which `plan_reader` reads
    verbs serves{};               ///< each has a `start` for this algorithm: collective/engines
    verbs in_background{};        ///< of these, the ones with a non-blocking form
    bool keeps_order = true;      ///< whether operands are combined in rank order, if its shapes preserve it
    bool needs_places = true;     ///< see the function of this name
    bool starts_in_order = false; ///< see `follows_order_of_starts`
    std::string_view does{};      ///< in a sentence
    std::string_view source{};    ///< of the algorithm
};

namespace rows {

using enum verb;

inline constexpr verbs with_a_tree = verbs::all().without({all_to_all, all_to_allv});
inline constexpr verbs in_lanes{broadcast, reduce, all_reduce, all_gather, all_gatherv, reduce_scatter};
inline constexpr verbs in_doubling{barrier, broadcast, all_reduce, all_gather, all_gatherv, all_to_all};

/// How many ranks meet in one round.
constexpr policy_number radix(int usual = policy_number::must_be_given) {
    return {policy_number::plan_member::radix, 2, usual};
}
constexpr policy_number bytes(int least, int usual) {
    return {policy_number::plan_member::whole_bytes, least, usual};
}

} // namespace rows

/// The registry.
inline constexpr auto algorithm_rows = std::to_array<algorithm_row>({
    {.which = algorithm::flat,
     .name = "flat",
     .serves = verbs::all(),
     .in_background = verbs::all(),
     .needs_places = false,
     .starts_in_order = true,
     .does = "The MPI's own collective on the whole communicator.",
     .source = "MPI standard, Collective Communication"},
    {.which = algorithm::hierarchical,
     .name = "hierarchical",
     .has_types = true,
     .serves = {rows::barrier, rows::broadcast, rows::reduce, rows::all_reduce, rows::reduce_scatter},
     .does = "Level by level, in each an algorithm of its own.",
     .source = "Goglin, Jeannot, Mansouri, Mercier 2018, section 7.2"},
    {.which = algorithm::tree,
     .name = "tree",
     .has_types = true,
     .serves = rows::with_a_tree,
     .in_background = rows::with_a_tree,
     .needs_places = false,
     .does = "Along one tree over all ranks that the shapes of the levels make, in segments.",
     .source = "Thakur, Rabenseifner, Gropp 2005; Bar-Noy, Kipnis 1994 (postal)"},
    {.which = algorithm::split_trees,
     .name = "split_trees",
     .has_types = true,
     .serves = {rows::broadcast},
     .in_background = {rows::broadcast},
     .does = "A half of the message down each of two trees.",
     .source = "Sanders, Speck, Traeff 2009 (two_tree); Open MPI (split_binary)"},
    {.which = algorithm::lanes,
     .name = "lanes",
     .has_types = true,
     .serves = rows::in_lanes,
     .in_background = rows::in_lanes,
     .starts_in_order = true,
     .does = "A part of the message along each lane, the ranks with the same number in their nodes.",
     .source = "Traeff, Hunold 2020"},
    {.which = algorithm::native_lanes,
     .name = "native_lanes",
     .has_types = true,
     .serves = {rows::broadcast, rows::reduce, rows::all_reduce},
     .does = "The same by the MPI's own collectives.",
     .source = "Traeff, Hunold 2020"},
    {.which = algorithm::ring,
     .name = "ring",
     .serves = {rows::all_gather, rows::all_gatherv, rows::all_reduce, rows::reduce_scatter},
     .in_background = {rows::all_gather, rows::all_gatherv, rows::all_reduce, rows::reduce_scatter},
     .keeps_order = false,
     .needs_places = false,
     .does = "Around a ring of all ranks in which neighbours are near.",
     .source = "Thakur, Rabenseifner, Gropp 2005"},
    {.which = algorithm::neighbour_exchange,
     .name = "neighbour_exchange",
     .serves = {rows::all_gather, rows::all_gatherv},
     .in_background = {rows::all_gather, rows::all_gatherv},
     .needs_places = false,
     .does = "With the left and the right neighbour in turn: the two blocks that came in the last round.",
     .source = "Chen, Zhang, Zhang, Yuan 2005"},
    {.which = algorithm::bruck,
     .name = "bruck",
     .serves = {rows::all_gather, rows::all_gatherv, rows::all_to_all},
     .in_background = {rows::all_gather, rows::all_gatherv, rows::all_to_all},
     .does = "In rounds, each with a rank twice as far away: all blocks that go that way.",
     .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997"},
    {.which = algorithm::pairwise,
     .name = "pairwise",
     .serves = {rows::all_to_all, rows::all_to_allv},
     .in_background = {rows::all_to_all, rows::all_to_allv},
     .does = "Every rank with every other, a few at a time.",
     .source = "Thakur, Rabenseifner, Gropp 2005"},
    {.which = algorithm::dissemination,
     .name = "dissemination",
     .serves = {rows::barrier},
     .in_background = {rows::barrier},
     .does = "A signal to a rank twice as far away in each round.",
     .source = "Hensgen, Finkel, Manber 1988"},
    {.which = algorithm::recursive_doubling,
     .name = "k_ary_recursive_doubling",
     .short_name = "recursive_doubling",
     .numbers = {rows::radix()},
     .serves = rows::in_doubling,
     .in_background = rows::in_doubling,
     .does = "In each round a rank exchanges all that it has, or has reduced, with K - 1 others.",
     .source = "Ruefenacht, Bull, Booth 2017 (recursive multiplying)"},
    {.which = algorithm::recursive_halving,
     .name = "k_ary_recursive_halving",
     .short_name = "recursive_halving",
     .numbers = {rows::radix()},
     .serves = {rows::reduce_scatter},
     .in_background = {rows::reduce_scatter},
     .keeps_order = false,
     .does = "In each round a rank divides what it still reduces into K parts, and exchanges K - 1 of them.",
     .source = "Thakur, Rabenseifner, Gropp 2005"},
    {.which = algorithm::rabenseifner,
     .name = "k_ary_rabenseifner",
     .short_name = "rabenseifner",
     .numbers = {rows::radix(), rows::bytes(0, 0)},
     .serves = {rows::reduce, rows::all_reduce},
     .in_background = {rows::reduce, rows::all_reduce},
     .keeps_order = false,
     .does = "K-ary recursive halving, and the way back by doubling.",
     .source = "Rabenseifner 2004"},
    {.which = algorithm::bine,
     .name = "bine",
     .serves = {rows::all_reduce},
     .in_background = {rows::all_reduce},
     .keeps_order = false,
     .does = "Recursive halving and the way back, with ranks that are a third nearer.",
     .source = "De Sensi et al. 2025"},
    {.which = algorithm::shared,
     .name = "shared",
     .serves = {rows::gather, rows::scatter, rows::all_gather, rows::all_gatherv, rows::all_to_all,
                rows::all_to_allv, rows::reduce_scatter, rows::scan, rows::exclusive_scan},
     .does = "Through the memory that the ranks of a node have in common.",
     .source = "Zhou, Gracia, Zhou, Schneider 2020"},
    {.which = algorithm::k_ary_bruck,
     .name = "k_ary_bruck",
     .numbers = {rows::radix(4), rows::bytes(1, 512)},
     .serves = {rows::all_to_allv},
     .does = "In rounds, one for each digit of the distance to base K: all blocks with that digit in one "
             "message.",
     .source = "Fan, Domke, Ba, Kumar 2025"},
    {.which = algorithm::node_aggregated,
     .name = "node_aggregated",
     .numbers = {rows::radix(4), rows::bytes(1, 2048)},
     .serves = {rows::all_gather, rows::all_gatherv, rows::all_to_all, rows::all_to_allv},
     .does = "All blocks from one node to another in one message, between ranks that carry it; long ones of "
             "an all_to_all in a message from each rank.",
     .source = "Bienz, Gropp, Olson 2020 (three-step, two-step)"},
    {.which = algorithm::circulant,
     .name = "circulant",
     .numbers = {rows::bytes(1, 8192), rows::radix(2)},
     .serves = {rows::broadcast, rows::reduce, rows::all_reduce, rows::all_gather, rows::all_gatherv},
     .in_background = {rows::broadcast, rows::reduce, rows::all_reduce, rows::all_gather, rows::all_gatherv},
     .keeps_order = false,
     .does = "On a circulant graph: in each round a rank sends one message and receives one, in the least "
             "number of rounds for any number of ranks.",
     .source = "Traeff 2024"},
    {.which = algorithm::shared_by_numa_node,
     .name = "shared_by_numa_node",
     .serves = {rows::gather, rows::scatter, rows::all_gather},
     .does =
         "Through the memory of each NUMA node, and between NUMA nodes in one message for all blocks of one.",
     .source = "Goglin, Jeannot, Mansouri, Mercier 2018; Zhou, Gracia, Zhou, Schneider 2020"},
});

inline constexpr std::size_t number_of_algorithms = algorithm_rows.size();

static_assert([] {
    for (std::size_t i = 0; i < number_of_algorithms; ++i)
        if (static_cast<std::size_t>(algorithm_rows[i].which) != i) return false;
    return true;
}());

/// @pre not `none` nor `any`
constexpr const algorithm_row& row_of(algorithm which) {
    return algorithm_rows[static_cast<std::size_t>(which)];
}

constexpr bool serves(algorithm which, verb what) {
    return static_cast<std::size_t>(which) < number_of_algorithms && row_of(which).serves.contains(what);
}

/// Whether an algorithm can serve a nonblocking verb. Those in which ranks start collectives on several
/// levels cannot, because these must start in the same order on all ranks.
constexpr bool serves_in_background(algorithm which, verb what) {
    return serves(which, what) && row_of(which).in_background.contains(what);
}

/// Whether ranks have to start collectives by an algorithm in the same order: it calls the MPI, or takes
/// tags, at each start. So it cannot be a step that each rank starts when it comes to it.
constexpr bool follows_order_of_starts(algorithm which) { return row_of(which).starts_in_order; }

/// Whether an algorithm combines operands in another order than that of ranks, whatever the shapes.
constexpr bool reorders(algorithm which) {
    return static_cast<std::size_t>(which) < number_of_algorithms && !row_of(which).keeps_order;
}

/// Whether the policies of an algorithm have numbers in angle brackets, and nothing else.
constexpr bool has_numbers(algorithm which) {
    return row_of(which).numbers.front().is != policy_number::plan_member::none;
}

/// Whether the policies of an algorithm have parameters; a policy without any has the name of its algorithm.
constexpr bool has_parameters(algorithm which) { return row_of(which).has_types || has_numbers(which); }

/// Whether an algorithm begins only after the places of all ranks are known: all exchanges but those with
/// neighbours. Trees may need them too, by their shapes.
constexpr bool needs_places(algorithm which) { return row_of(which).needs_places; }

/// Whether a call can use an algorithm, given the one known at compile time, or `any`. What the MPI's own
/// calls cannot count or combine goes along trees.
constexpr bool may_be(algorithm only, algorithm which) {
    return only == algorithm::any || only == which || (only == algorithm::flat && which == algorithm::tree);
}

/// `form.template operator()<algorithm>()` for each algorithm that serves a verb, and in the places of the
/// others for `any`. With it `topomp::compiled` names the functions of all, so that it has them.
template <verb Verb, bool (*Serves)(algorithm, verb) = &serves, class Form>
constexpr auto forms_of(Form form) {
    const auto of = [form]<std::size_t... Rows>(std::index_sequence<Rows...>) {
        return std::array{form.template operator() < Serves(static_cast<algorithm>(Rows), Verb)
                              ? static_cast<algorithm>(Rows)
                              : algorithm::any > ()...};
    };
    return of(std::make_index_sequence<number_of_algorithms>{});
}

} // namespace topo::detail
