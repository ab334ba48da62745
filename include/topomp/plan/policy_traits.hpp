// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm a policy names, and with which shapes.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/two_tree.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/policy.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace topo {

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
        "two_tree");
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
    static constexpr bool is_split = is_split_algorithm<Algorithm>;
};
template <class Algorithm, int Half>
struct rule_of<otherwise<Algorithm>, Half> {
    static constexpr level_rule value{kind::cluster, true, shape_of<for_half_t<Algorithm, Half>>()};
    static constexpr bool is_split = is_split_algorithm<Algorithm>;
};

template <class Policy>
inline constexpr bool ignores_placement = false;
template <class Policy>
inline constexpr bool ignores_placement<placement_independent<Policy>> = true;

/// What the base of a policy says.
struct policy_numbers {
    algorithm uses = algorithm::none;
    int radix = 2;
    std::size_t whole_bytes = 0;
};
template <algorithm Uses, int Radix, std::size_t WholeBytes>
constexpr policy_numbers numbers_in_base(const policy_of<Uses, Radix, WholeBytes>*) {
    return {Uses, Radix, WholeBytes};
}
template <class Policy>
inline constexpr policy_numbers numbers_of{};
template <class Policy>
    requires requires(const Policy* one) { numbers_in_base(one); }
inline constexpr policy_numbers numbers_of<Policy> = numbers_in_base(static_cast<const Policy*>(nullptr));

template <class Policy>
struct policy_traits {
    static constexpr algorithm uses = numbers_of<Policy>.uses;
};
template <shape Shape>
struct policy_traits<Shape> : policy_traits<per_level<otherwise<Shape>>> {};
template <class... Rules>
struct policy_traits<per_level<Rules...>> {
    static constexpr algorithm uses =
        (rule_of<Rules>::is_split || ...) ? algorithm::split_trees : algorithm::tree;
    static_assert((is_otherwise<Rules> + ... + 0) == 1,
                  "topo::per_level: some level has no answer; end the rules with one otherwise<algorithm>");
    static constexpr std::array rules{rule_of<Rules>::value...};
    static_assert(rules.back().is_default,
                  "topo::per_level: otherwise<algorithm> must be the last rule, for the rules "
                  "behind it would never count");
    static constexpr std::array other_rules{rule_of<Rules, 1>::value...}; ///< of the message's second half
    static constexpr std::size_t segment_bytes = 0;
};
template <class Halves>
    requires(is_split_algorithm<Halves>)
struct policy_traits<Halves> : policy_traits<per_level<otherwise<Halves>>> {};
template <class Between, class Inside>
struct policy_traits<two_levels<Between, Inside>> {
    using of_levels = policy_traits<per_level<on<kind::cluster, Between>, otherwise<Inside>>>;
    static constexpr algorithm uses = of_levels::uses;
    static constexpr auto rules = of_levels::rules;
    static constexpr auto other_rules = of_levels::other_rules;
    static constexpr std::size_t segment_bytes = 0;
    static_assert(
        !is_split_algorithm<Inside>,
        "topo::two_levels<Between, Inside>: a message is split in two halves between nodes only, so "
        "Inside must be a shape");
};
template <class Along, class Inside>
struct policy_traits<lanes<Along, Inside>> {
    static_assert(
        shape<Along> && shape<Inside>,
        "topo::lanes<Along, Inside>: both must be shapes (linear, chain, binary, k_ary<K>, binomial, "
        "k_nomial<K> or in_order_binary), for parts go along a lane and on inside a node in one tree; or "
        "both native");
    static constexpr algorithm uses = algorithm::lanes;
    static constexpr std::array rules{rule_of<on<kind::cluster, Along>>::value,
                                      rule_of<otherwise<Inside>>::value};
    static constexpr std::size_t segment_bytes = 0;
};
template <>
struct policy_traits<lanes<native, native>> {
    static constexpr algorithm uses = algorithm::native_lanes;
};
template <std::size_t Bytes, class Policy>
struct policy_traits<segmented<Bytes, Policy>> {
    static constexpr algorithm uses = policy_traits<Policy>::uses;
    static_assert(!ignores_placement<Policy>,
                  "topo::segmented<Bytes, placement_independent<Policy>>: write the segments inside, "
                  "placement_independent<segmented<Bytes, Policy>>");
    static_assert(uses == algorithm::tree || uses == algorithm::split_trees || uses == algorithm::lanes,
                  "topo::segmented<Bytes, Policy>: only trees move data in segments, so the policy must be a "
                  "shape, per_level of shapes, split_binary or lanes");
    static constexpr auto rules = policy_traits<Policy>::rules;
    static constexpr std::size_t segment_bytes = Bytes;
};

template <int Between, int Inside, bool CrossesNodes>
struct policy_traits<node_aware_postal<Between, Inside, CrossesNodes>> {
    static constexpr algorithm uses = algorithm::tree;
    static constexpr std::array rules{rule_of<otherwise<postal<Inside>>>::value};
    static constexpr std::size_t segment_bytes = 0;
};
template <class Policy>
inline constexpr node_aware_rule node_aware_of{};
template <int Between, int Inside, bool CrossesNodes>
inline constexpr node_aware_rule node_aware_of<node_aware_postal<Between, Inside, CrossesNodes>>{
    Between, Inside, CrossesNodes};
template <std::size_t Bytes, class Policy>
inline constexpr node_aware_rule node_aware_of<segmented<Bytes, Policy>> = node_aware_of<Policy>;

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
    static constexpr algorithm uses = algorithm::tree;
    static constexpr auto rules = policy_traits<Policy>::rules;
    static constexpr std::size_t segment_bytes = policy_traits<Policy>::segment_bytes;
};

/// A policy as plain data. @tparam Policy a shape, `per_level` of shapes, `lanes`, or one of these
/// `segmented`
template <class Policy>
inline constexpr tree_plan tree_plan_of{policy_traits<Policy>::rules, policy_traits<Policy>::segment_bytes,
                                        ignores_placement<Policy>, node_aware_of<Policy>,
                                        has_two_levels<Policy> ? node_leader::first : node_leader::none};

/// The plan for the second half of a message, if the two halves take different trees.
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
inline constexpr algorithm algorithm_of = policy_traits<Policy>::uses;
template <>
inline constexpr algorithm algorithm_of<shared> = algorithm::shared;

/// Whether a policy can use a tree that depends on which ranks are in which node.
template <class Policy>
inline constexpr bool depends_on_nodes = [] {
    if constexpr (algorithm_of<Policy> == algorithm::tree || algorithm_of<Policy> == algorithm::split_trees)
        return static_cast<bool>(tree_plan_of<Policy>.node_aware) ||
               tree_plan_of<Policy>.through != node_leader::none;
    else
        return false;
}();
template <>
inline constexpr bool depends_on_nodes<automatic> = true;

} // namespace detail

/// How a verb moves its data: one of the types of plan/policy.hpp, or any shape of a tree. Each verb checks
/// whether it has the algorithm.
template <class T>
concept policy =
    detail::says(!std::is_arithmetic_v<T>,
                 "topo: a number stands where a verb has its policy, the last argument: elements are one "
                 "argument, such as a vector or a span, std::span{pointer, count}") &&
    detail::says(std::is_same_v<T, automatic> || detail::algorithm_of<T> != detail::algorithm::none,
                 "topo: the last argument of a verb is a policy, a type that says how its data moves, and "
                 "this one is none: leave it out, or give one such as topo::binomial{} or topo::flat{}");

/// A policy that moves data along trees: a shape for all levels, `per_level` of shapes, or either
/// `segmented`.
template <class Policy>
concept tree_policy = shape<Policy> || requires {
    requires detail::policy_traits<Policy>::uses == detail::algorithm::tree;
};

} // namespace topo
