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

/// The static properties of an algorithm.
struct algorithm_row {
    algorithm which{};
    std::string_view name;     ///< as policies and plans have it
    verbs serves{};            ///< each has a `start` for this algorithm: collective/engines
    verbs in_background{};     ///< of these, the ones with a non-blocking form
    bool keeps_order = true;   ///< whether operands are combined in rank order, if its shapes preserve it
    std::string_view does{};   ///< in a sentence
    std::string_view source{}; ///< of the algorithm
};

namespace rows {

using enum verb;

inline constexpr verbs with_a_tree = verbs::all().without({all_to_all, all_to_allv});
inline constexpr verbs in_lanes{broadcast, reduce, all_reduce, all_gather, all_gatherv, reduce_scatter};
inline constexpr verbs in_doubling{barrier, broadcast, all_reduce, all_gather, all_gatherv, all_to_all};

} // namespace rows

/// The registry.
inline constexpr std::array<algorithm_row, 20> algorithm_rows{{
    {algorithm::flat, "flat", verbs::all(), verbs::all(), true,
     "The MPI's own collective on the whole communicator.", "MPI standard, Collective Communication"},
    {algorithm::hierarchical,
     "hierarchical",
     {rows::barrier, rows::broadcast, rows::reduce, rows::all_reduce, rows::reduce_scatter},
     {},
     true,
     "Level by level, in each an algorithm of its own.",
     "Goglin, Jeannot, Mansouri, Mercier 2018, section 7.2"},
    {algorithm::tree, "tree", rows::with_a_tree, rows::with_a_tree, true,
     "Along one tree over all ranks that the shapes of the levels make, in segments.",
     "Thakur, Rabenseifner, Gropp 2005; Bar-Noy, Kipnis 1994 (postal)"},
    {algorithm::split_trees,
     "split_trees",
     {rows::broadcast},
     {rows::broadcast},
     true,
     "A half of the message down each of two trees.",
     "Sanders, Speck, Traeff 2009 (two_tree); Open MPI (split_binary)"},
    {algorithm::lanes, "lanes", rows::in_lanes, rows::in_lanes, true,
     "A part of the message along each lane, the ranks with the same number in their nodes.",
     "Traeff, Hunold 2020"},
    {algorithm::native_lanes,
     "native_lanes",
     {rows::broadcast, rows::reduce, rows::all_reduce},
     {},
     true,
     "The same by the MPI's own collectives.",
     "Traeff, Hunold 2020"},
    {algorithm::ring,
     "ring",
     {rows::all_gather, rows::all_gatherv, rows::all_reduce, rows::reduce_scatter},
     {rows::all_gather, rows::all_gatherv, rows::all_reduce, rows::reduce_scatter},
     false,
     "Around a ring of all ranks in which neighbours are near.",
     "Thakur, Rabenseifner, Gropp 2005"},
    {algorithm::neighbour_exchange,
     "neighbour_exchange",
     {rows::all_gather, rows::all_gatherv},
     {rows::all_gather, rows::all_gatherv},
     true,
     "With the left and the right neighbour in turn: the two blocks that came in the last round.",
     "Chen, Zhang, Zhang, Yuan 2005"},
    {algorithm::bruck,
     "bruck",
     {rows::all_gather, rows::all_gatherv, rows::all_to_all},
     {rows::all_gather, rows::all_gatherv, rows::all_to_all},
     true,
     "In rounds, each with a rank twice as far away: all blocks that go that way.",
     "Bruck, Ho, Kipnis, Upfal, Weathersby 1997"},
    {algorithm::pairwise,
     "pairwise",
     {rows::all_to_all, rows::all_to_allv},
     {rows::all_to_all, rows::all_to_allv},
     true,
     "Every rank with every other, a few at a time.",
     "Thakur, Rabenseifner, Gropp 2005"},
    {algorithm::dissemination,
     "dissemination",
     {rows::barrier},
     {rows::barrier},
     true,
     "A signal to a rank twice as far away in each round.",
     "Hensgen, Finkel, Manber 1988"},
    {algorithm::recursive_doubling, "k_ary_recursive_doubling", rows::in_doubling, rows::in_doubling, true,
     "In each round a rank exchanges all that it has, or has reduced, with K - 1 others.",
     "Ruefenacht, Bull, Booth 2017 (recursive multiplying)"},
    {algorithm::recursive_halving,
     "k_ary_recursive_halving",
     {rows::reduce_scatter},
     {rows::reduce_scatter},
     false,
     "In each round a rank divides what it still reduces into K parts, and exchanges K - 1 of them.",
     "Thakur, Rabenseifner, Gropp 2005"},
    {algorithm::rabenseifner,
     "k_ary_rabenseifner",
     {rows::reduce, rows::all_reduce},
     {rows::reduce, rows::all_reduce},
     false,
     "K-ary recursive halving, and the way back by doubling.",
     "Rabenseifner 2004"},
    {algorithm::bine,
     "bine",
     {rows::all_reduce},
     {rows::all_reduce},
     false,
     "Recursive halving and the way back, with ranks that are a third nearer.",
     "De Sensi et al. 2025"},
    {algorithm::shared,
     "shared",
     {rows::gather, rows::scatter, rows::all_gather, rows::all_gatherv, rows::all_to_all, rows::all_to_allv,
      rows::reduce_scatter, rows::scan, rows::exclusive_scan},
     {},
     true,
     "Through the memory that the ranks of a node have in common.",
     "Zhou, Gracia, Zhou, Schneider 2020"},
    {algorithm::k_ary_bruck,
     "k_ary_bruck",
     {rows::all_to_allv},
     {},
     true,
     "In rounds, one for each digit of the distance to base K: all blocks with that digit in one message.",
     "Fan, Domke, Ba, Kumar 2025"},
    {algorithm::node_aggregated,
     "node_aggregated",
     {rows::all_gather, rows::all_gatherv, rows::all_to_all, rows::all_to_allv},
     {},
     true,
     "All blocks from one node to another in one message, between ranks that carry it; long ones of an "
     "all_to_all in a message from each rank.",
     "Bienz, Gropp, Olson 2020 (three-step, two-step)"},
    {algorithm::circulant,
     "circulant",
     {rows::broadcast, rows::reduce, rows::all_reduce, rows::all_gather, rows::all_gatherv},
     {rows::broadcast, rows::reduce, rows::all_reduce, rows::all_gather, rows::all_gatherv},
     false,
     "On a circulant graph: in each round a rank sends one message and receives one, in the least number of "
     "rounds for any number of ranks.",
     "Traeff 2024"},
    {algorithm::shared_by_numa_node,
     "shared_by_numa_node",
     {rows::gather, rows::scatter, rows::all_gather},
     {},
     true,
     "Through the memory of each NUMA node, and between NUMA nodes in one message for all blocks of one.",
     "Goglin, Jeannot, Mansouri, Mercier 2018; Zhou, Gracia, Zhou, Schneider 2020"},
}};

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
constexpr bool follows_order_of_starts(algorithm which) {
    return which == algorithm::flat || which == algorithm::lanes;
}

/// Whether an algorithm combines operands in another order than that of ranks, whatever the shapes.
constexpr bool reorders(algorithm which) {
    return static_cast<std::size_t>(which) < number_of_algorithms && !row_of(which).keeps_order;
}

/// Whether the policies of an algorithm have parameters; a policy without any has the name of its algorithm.
constexpr bool has_parameters(algorithm which) {
    switch (which) {
    case algorithm::hierarchical:
    case algorithm::tree:
    case algorithm::split_trees:
    case algorithm::lanes:
    case algorithm::native_lanes:
    case algorithm::recursive_doubling:
    case algorithm::recursive_halving:
    case algorithm::rabenseifner:
    case algorithm::k_ary_bruck:
    case algorithm::node_aggregated:
    case algorithm::circulant:
        return true;
    default:
        return false;
    }
}

/// Whether an algorithm begins only after the places of all ranks are known: all exchanges but those with
/// neighbours. Trees may need them too, by their shapes.
constexpr bool needs_places(algorithm which) {
    switch (which) {
    case algorithm::flat:
    case algorithm::tree:
    case algorithm::ring:
    case algorithm::neighbour_exchange:
        return false;
    default:
        return true;
    }
}

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
