// SPDX-License-Identifier: BSL-1.0
/// @file
/// An algorithm inside each level, as types.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <array>
#include <type_traits>

namespace topo::detail {

/// Rejects, at compile time, an algorithm inside a level that lacks a function for a verb.
template <verb Verb, class Algorithm>
constexpr void assert_level_algorithm() {
    constexpr bool is_all_reduce = Verb == verb::all_reduce || Verb == verb::reduce_scatter;
    if constexpr (Verb == verb::broadcast || is_all_reduce)
        static_assert(
            broadcasts_in_level<Algorithm>,
            "topo::hierarchical: an algorithm cannot broadcast inside its level, which broadcast and "
            "all_reduce "
            "need: give it static void broadcast(level_members&, message what, int root), or put mpi_calls "
            "in its place; shapes of trees belong in per_level");
    if constexpr (Verb == verb::reduce || is_all_reduce)
        static_assert(
            reduces_in_level<Algorithm>,
            "topo::hierarchical: an algorithm cannot reduce inside its level, which reduce and all_reduce "
            "need: "
            "give it static void reduce(level_members&, message sum, MPI_Op, int root), or put mpi_calls in "
            "its place; shapes of trees belong in per_level");
    if constexpr (is_all_reduce)
        static_assert(
            all_reduces_in_level<Algorithm>,
            "topo::hierarchical: an algorithm cannot all_reduce inside its level, which all_reduce needs: "
            "give it "
            "static void all_reduce(level_members&, message sum, MPI_Op), or put mpi_calls in its place; "
            "shapes of trees belong in per_level");
    if constexpr (Verb == verb::barrier)
        static_assert(
            waits_in_level<Algorithm>,
            "topo::hierarchical: an algorithm has no barrier inside its level: give it static void "
            "barrier(level_members&), or put mpi_calls in its place; shapes of trees belong in per_level");
}

template <class Rule>
struct loop_rule_of {
    static_assert(
        !std::is_same_v<Rule, Rule>,
        "topo::hierarchical: a rule must be on<kind, algorithm>, within<kind, algorithm> or, as the last, "
        "otherwise<algorithm>");
};
template <kind Kind, class Algorithm>
struct loop_rule_of<on<Kind, Algorithm>> {
    using algorithm = Algorithm;
    static constexpr loop_rule value{Kind, false, false, any_level_algorithm::of<Algorithm>()};
};
template <kind Kind, class Algorithm>
struct loop_rule_of<within<Kind, Algorithm>> {
    using algorithm = Algorithm;
    static constexpr loop_rule value{Kind, false, true, any_level_algorithm::of<Algorithm>()};
};
template <class Algorithm>
struct loop_rule_of<otherwise<Algorithm>> {
    using algorithm = Algorithm;
    static constexpr loop_rule value{kind::cluster, true, false, any_level_algorithm::of<Algorithm>()};
};

template <class Policy>
struct loop_traits;
template <class... Rules>
struct loop_traits<hierarchical<Rules...>> {
    static_assert(
        (is_otherwise<Rules> + ... + 0) == 1,
        "topo::hierarchical: some level has no answer; end the rules with one otherwise<algorithm>");
    static constexpr std::array rules{loop_rule_of<Rules>::value...};
    static_assert(
        rules.back().is_default,
        "topo::hierarchical: otherwise<algorithm> must be the last rule, for the rules behind it would "
        "never count");

    template <verb Verb>
    static constexpr loop_plan plan_for() {
        (assert_level_algorithm<Verb, typename loop_rule_of<Rules>::algorithm>(), ...);
        return {rules};
    }
};

/// A policy as plain data, for a verb that its algorithms must all have.
template <verb Verb, class Policy>
inline constexpr loop_plan loop_plan_of = loop_traits<Policy>::template plan_for<Verb>();

} // namespace topo::detail
