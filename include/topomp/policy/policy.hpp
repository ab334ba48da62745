// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm at which level, as types.
#pragma once

#include <topomp/algorithm/double_binary.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/way.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace topo {

/// Between the parts of an object of this kind, data moves by this algorithm: `on<kind::machine, linear>` is
/// about what happens inside a node, `on<kind::cluster, binomial>` about what happens between nodes that no
/// switch joins.
template <kind Kind, class Algorithm>
struct on {};

/// Everywhere else, data moves by this algorithm.
template <class Algorithm>
struct otherwise {};

/// An algorithm for each level: rules `on<kind, algorithm>`, of which the first that fits a level counts, and
/// at the end `otherwise<algorithm>`. Algorithms are shapes, and for broadcast also `split_binary` and
/// `double_binary`.
template <class... Rules>
struct per_level {};

/// A policy whose messages are cut into segments of so many bytes, so that all levels work at the same time.
template <std::size_t Bytes, class Policy>
struct segmented {
    static_assert(Bytes > 0, "topo::segmented<Bytes, Policy>: a segment needs at least one byte");
};

/// Reductions and scans whose floating-point results depend on the number of ranks, the root and the shape,
/// and not on the machine nor on which rank sits where: one tree over the ranks' numbers, as if all were
/// equally far from each other. @tparam Policy a shape, or one in segments
template <class Policy = binomial>
struct placement_independent {};

/// From level to level (paper 1, section 7.2), in each by an algorithm that knows nothing of the others:
/// rules as in `per_level`, and `within`. An algorithm is any type with the static functions of
/// algorithm/level_algorithm.hpp.
template <class... Rules>
struct looped {};

/// In `looped`: among all ranks of an object of this kind data moves by this algorithm, whatever is inside.
template <kind Kind, class Algorithm>
struct within {};

/// One tree over all ranks, in which not only one rank of each node sends to others: everybody who has the
/// message tells somebody of its own node, then nodes that have not heard, then the rest of its node. For
/// short messages and commutative operations. @tparam Between, Inside how long a message is on its way to
/// another node, and inside one, in the time between two that one rank sends @tparam Helps whether who has
/// nobody left to tell in its own node tells other nodes' ranks, for the shortest messages
/// @cost every rank works out the whole tree for each new root, in p log p
template <int Between, int Inside, bool Helps = false>
struct spreading {
    static_assert(Between >= Inside && Inside >= 1,
                  "topo::spreading<Between, Inside>: a message cannot arrive before it is sent, nor earlier "
                  "at another node than inside one");
};

/// A tree among the nodes, whatever joins these, and one inside each, whatever is inside: the link of no node
/// carries what only passes by, as where each switch and each node has a leader.
/// @tparam Between, Inside shapes; for broadcast `Between` may be `split_binary` or `double_binary`, whose
/// halves then go through different ranks of each node
template <class Between, class Inside = stem<in_order_binary>>
struct two_levels {};

/// A part of each message along each lane, the ranks with the same number in their nodes, so that as many
/// ranks as the smallest node has use the network at a time. Inside a node each lane's rank hands its part to
/// the others, or combines theirs.
/// @tparam Along shape of the tree among the nodes in each lane @tparam Inside shape of the trees in each
/// node
template <class Along = binomial, class Inside = linear>
struct lanes {};

struct mpi_calls;

/// The MPI's own collective on each level's communicator.
using native = looped<otherwise<mpi_calls>>;

/// The MPI's own collective on the whole communicator, once: what not using topomp does.
struct flat {};

/// Around a ring of all ranks in which neighbours are near.
struct ring {};

/// Bruck's steps over all ranks, each with somebody twice as far away.
struct bruck {};

/// Every rank with every other, a few at a time.
struct pairwise {};

/// A signal to somebody twice as far away in each step, over all ranks.
struct dissemination {};

/// Through the memory that the ranks of a node have in common, see algorithm/shared.hpp: an algorithm for
/// `looped`, and by itself a policy for gather, scatter, all_gather and all_to_all, where all ranks are in
/// one node; by the MPI's own where they are not.
struct shared;

/// In each round with up to Radix - 1 other ranks, that many times as far as in the last: everything that a
/// rank has or has added up; of a broadcast, of which the root first gives each rank a part. Rounds follow
/// the levels of the hierarchy where these are equally large. Few rounds of several short messages each are
/// faster than many where a message is longer on its way than it takes to send.
template <int Radix>
struct recursive_multiplying {
    static_assert(Radix >= 2, "topo::recursive_multiplying<Radix>: at least two ranks meet in a round");
};

/// In each of log2 p steps with a rank twice as far: everything that a rank has or has added up.
using recursive_doubling = recursive_multiplying<2>;

/// In each round with up to Radix - 1 other ranks: so many parts of what a rank still adds up.
template <int Radix>
struct recursive_splitting {
    static_assert(Radix >= 2, "topo::recursive_splitting<Radix>: at least two ranks meet in a round");
};

/// In each of log2 p steps with a rank twice as far: half of what a rank still adds up.
using recursive_halving = recursive_splitting<2>;

/// `recursive_splitting`, and the way back to all ranks or to a root. @tparam WholeBytes in an all-reduce,
/// parts as short as this are not split any more but go whole to everybody whom a round brings together,
/// which saves the way back
template <int Radix, std::size_t WholeBytes = 0>
struct splitting_and_multiplying {
    static_assert(Radix >= 2, "topo::splitting_and_multiplying<Radix>: at least two ranks meet in a round");
};

/// Rabenseifner's: `recursive_halving`, and the way back to all ranks or to a root.
using rabenseifner = splitting_and_multiplying<2>;

/// Chooses among the policies in policy/tuned.hpp by verb, machine and bytes: the default.
struct automatic {};

namespace detail {

template <class Rule>
inline constexpr bool is_otherwise = false;
template <class Algorithm>
inline constexpr bool is_otherwise<otherwise<Algorithm>> = true;

template <class Algorithm>
constexpr any_shape shape_of() {
    static_assert(
        shape<Algorithm>,
        "topo::per_level: this algorithm is not a shape of a tree, so it cannot serve this verb; use linear, "
        "chain, binary, k_ary<K>, binomial, k_nomial<K> or in_order_binary, or for broadcast split_binary or "
        "double_binary");
    return any_shape::of<Algorithm>();
}

/// A rule as plain data. @tparam Half of the message, where an algorithm treats them differently
template <class Rule, int Half = 0>
struct rule_of {
    static_assert(!std::is_same_v<Rule, Rule>,
                  "topo::per_level: a rule must be on<kind, algorithm> or, as the last, "
                  "otherwise<algorithm>");
};
template <kind Kind, class Algorithm, int Half>
struct rule_of<on<Kind, Algorithm>, Half> {
    static constexpr level_rule value{Kind, false, shape_of<for_half_t<Algorithm, Half>>()};
    static constexpr bool is_split = goes_in_halves<Algorithm>;
};
template <class Algorithm, int Half>
struct rule_of<otherwise<Algorithm>, Half> {
    static constexpr level_rule value{kind::cluster, true, shape_of<for_half_t<Algorithm, Half>>()};
    static constexpr bool is_split = goes_in_halves<Algorithm>;
};

template <class Policy>
inline constexpr bool ignores_placement = false;
template <class Policy>
inline constexpr bool ignores_placement<placement_independent<Policy>> = true;

template <class Policy>
struct policy_traits {
    static constexpr way how = way::none;
};
template <shape Shape>
struct policy_traits<Shape> : policy_traits<per_level<otherwise<Shape>>> {};
template <class... Rules>
struct policy_traits<per_level<Rules...>> {
    static constexpr way how = (rule_of<Rules>::is_split || ...) ? way::halves : way::tree;
    static_assert((is_otherwise<Rules> + ... + 0) == 1,
                  "topo::per_level: some level has no answer; end the rules with one otherwise<algorithm>");
    static constexpr std::array rules{rule_of<Rules>::value...};
    static_assert(rules.back().is_default,
                  "topo::per_level: otherwise<algorithm> must be the last rule, for the rules "
                  "behind it would never count");
    static constexpr std::array other_rules{rule_of<Rules, 1>::value...}; ///< of the message's second half
    static constexpr std::size_t segment_bytes = 0;
};
template <>
struct policy_traits<split_binary> : policy_traits<per_level<otherwise<split_binary>>> {};
template <>
struct policy_traits<double_binary> : policy_traits<per_level<otherwise<double_binary>>> {};
template <class Between, class Inside>
struct policy_traits<two_levels<Between, Inside>>
    : policy_traits<per_level<on<kind::cluster, Between>, otherwise<Inside>>> {
    static_assert(
        !goes_in_halves<Inside>,
        "topo::two_levels<Between, Inside>: inside nodes halves have no ways of their own, so Inside "
        "must be a shape");
};
template <class Along, class Inside>
struct policy_traits<lanes<Along, Inside>> {
    static_assert(
        shape<Along> && shape<Inside>,
        "topo::lanes<Along, Inside>: both must be shapes (linear, chain, binary, k_ary<K>, binomial, "
        "k_nomial<K> or in_order_binary), for parts go along a lane and on inside a node in one tree; or "
        "both native");
    static constexpr way how = way::lanes;
    static constexpr std::array rules{rule_of<on<kind::cluster, Along>>::value,
                                      rule_of<otherwise<Inside>>::value};
    static constexpr std::size_t segment_bytes = 0;
};
template <>
struct policy_traits<lanes<native, native>> {
    static constexpr way how = way::native_lanes;
};
template <std::size_t Bytes, class Policy>
struct policy_traits<segmented<Bytes, Policy>> {
    static constexpr way how = policy_traits<Policy>::how;
    static_assert(!ignores_placement<Policy>,
                  "topo::segmented<Bytes, placement_independent<Policy>>: write the segments inside, "
                  "placement_independent<segmented<Bytes, Policy>>");
    static_assert(how == way::tree || how == way::halves || how == way::lanes,
                  "topo::segmented<Bytes, Policy>: only trees move data in segments, so the policy must be a "
                  "shape, per_level of shapes, split_binary or lanes");
    static constexpr auto rules = policy_traits<Policy>::rules;
    static constexpr std::size_t segment_bytes = Bytes;
};

template <int Between, int Inside, bool Helps>
struct policy_traits<spreading<Between, Inside, Helps>> {
    static constexpr way how = way::tree;
    static constexpr std::array rules{rule_of<otherwise<postal<Inside>>>::value};
    static constexpr std::size_t segment_bytes = 0;
};
template <class Policy>
inline constexpr spreading_rule spreading_of{};
template <int Between, int Inside, bool Helps>
inline constexpr spreading_rule spreading_of<spreading<Between, Inside, Helps>>{Between, Inside, Helps};
template <std::size_t Bytes, class Policy>
inline constexpr spreading_rule spreading_of<segmented<Bytes, Policy>> = spreading_of<Policy>;

template <class Policy>
inline constexpr bool has_two_levels = false;
template <class Between, class Inside>
inline constexpr bool has_two_levels<two_levels<Between, Inside>> = true;
template <std::size_t Bytes, class Policy>
inline constexpr bool has_two_levels<segmented<Bytes, Policy>> = has_two_levels<Policy>;

template <class Policy>
inline constexpr bool is_one_shape = shape<Policy>;
template <std::size_t Bytes, class Policy>
inline constexpr bool is_one_shape<segmented<Bytes, Policy>> = is_one_shape<Policy>;

template <class Policy>
struct policy_traits<placement_independent<Policy>> {
    static_assert(
        is_one_shape<Policy>,
        "topo::placement_independent<Policy>: only one tree over all ranks combines in the same way on every "
        "machine, so the policy must be a shape (linear, chain, binary, k_ary<K>, binomial, k_nomial<K> or "
        "in_order_binary) or segmented<bytes, shape>");
    static constexpr way how = way::tree;
    static constexpr auto rules = policy_traits<Policy>::rules;
    static constexpr std::size_t segment_bytes = policy_traits<Policy>::segment_bytes;
};

/// A policy as plain data. @tparam Policy a shape, `per_level` of shapes, `lanes`, or one of these
/// `segmented`
template <class Policy>
inline constexpr tree_plan tree_plan_of{policy_traits<Policy>::rules, policy_traits<Policy>::segment_bytes,
                                        ignores_placement<Policy>, spreading_of<Policy>,
                                        has_two_levels<Policy> ? node_leader::first : node_leader::none};

/// The plan for the second half of a message, where the halves go different ways.
template <class Policy>
inline constexpr tree_plan other_half_of{policy_traits<Policy>::other_rules,
                                         policy_traits<Policy>::segment_bytes,
                                         false,
                                         {},
                                         has_two_levels<Policy> ? node_leader::in_the_middle
                                                                : node_leader::none};
template <std::size_t Bytes, class Policy>
inline constexpr tree_plan other_half_of<segmented<Bytes, Policy>> = [] {
    tree_plan plan = other_half_of<Policy>;
    plan.segment_bytes = Bytes;
    return plan;
}();

template <class Policy>
inline constexpr way way_of = policy_traits<Policy>::how;
template <>
inline constexpr way way_of<flat> = way::flat;
template <class... Rules>
inline constexpr way way_of<looped<Rules...>> = way::looped;
template <>
inline constexpr way way_of<shared> = way::shared;
template <>
inline constexpr way way_of<ring> = way::ring;
template <>
inline constexpr way way_of<bruck> = way::bruck;
template <>
inline constexpr way way_of<pairwise> = way::pairwise;
template <>
inline constexpr way way_of<dissemination> = way::dissemination;
template <int Radix>
inline constexpr way way_of<recursive_multiplying<Radix>> = way::recursive_doubling;
template <int Radix>
inline constexpr way way_of<recursive_splitting<Radix>> = way::recursive_halving;
template <int Radix, std::size_t WholeBytes>
inline constexpr way way_of<splitting_and_multiplying<Radix, WholeBytes>> = way::rabenseifner;

/// How many ranks meet in a round of a policy.
template <class Policy>
inline constexpr int radix_of = 2;
template <int Radix>
inline constexpr int radix_of<recursive_multiplying<Radix>> = Radix;
template <int Radix>
inline constexpr int radix_of<recursive_splitting<Radix>> = Radix;
template <int Radix, std::size_t WholeBytes>
inline constexpr int radix_of<splitting_and_multiplying<Radix, WholeBytes>> = Radix;
template <class Policy>
inline constexpr std::size_t whole_bytes_of = 0;
template <int Radix, std::size_t WholeBytes>
inline constexpr std::size_t whole_bytes_of<splitting_and_multiplying<Radix, WholeBytes>> = WholeBytes;

} // namespace detail

/// A policy that moves data along trees: a shape for all levels, `per_level` of shapes, or either
/// `segmented`.
template <class Policy>
concept tree_policy = shape<Policy> || requires {
    requires detail::policy_traits<Policy>::how == detail::way::tree;
};

} // namespace topo
