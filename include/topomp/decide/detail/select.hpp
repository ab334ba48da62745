// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plan of a call: that of its policy, or what `automatic` decides.
#pragma once

#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace topo::detail {

/// As the others, by the verb's name unless the facts have another.
template <verb Verb>
void require_open(const call_facts& facts, const hierarchy& levels) {
    if (!levels.is_open()) [[unlikely]]
        require_open(facts.call.empty() ? name_of(Verb) : std::string{facts.call}, levels);
}

/// How a policy that decides at run time does so; other policies have none. That of `automatic` is in
/// decide/detail/automatic.hpp.
template <class Policy>
struct run_time_decision {};
template <class Policy>
concept decides_at_run_time = requires(const hierarchy& levels) {
    run_time_decision<Policy>::of(verb::barrier, levels, std::size_t{}, true);
};

/// The plan of a policy for a verb: an object to be kept until the call ends. Each call of each verb begins
/// here, so a checked build compares the ranks' arguments here.
/// @param bytes of the message, the same on every rank @param facts what else should be
template <verb Verb, class Policy>
auto select(const hierarchy& levels, std::size_t bytes, bool is_commutative = true,
            const call_facts& facts = {}) {
    require_open<Verb>(facts, levels);
    if constexpr (depends_on_nodes<Policy>) bring_node_edges();
    if constexpr (is_checked) check_call<Verb, Policy>(levels, bytes, is_commutative, facts);
    static_assert(!ignores_placement<Policy> || combines(Verb),
                  "topo::placement_independent: this verb combines nothing, so its results are the same by "
                  "every policy: give the policy inside");
    if constexpr (decides_at_run_time<Policy>) {
        return run_time_decision<Policy>::of(Verb, levels, bytes, is_commutative);
    } else if constexpr (std::is_same_v<Policy, automatic>) {
        static_assert(!std::is_same_v<Policy, automatic>,
                      "topo: this call leaves the policy to automatic, which the headers *_by_tree.hpp lack: "
                      "give a tree such as topo::binomial{}, or include the verb's own header, such as "
                      "<topomp/collective/broadcast.hpp>");
        return plan{};
    } else {
        static_assert(serves(algorithm_of<Policy>, Verb),
                      "topo: this policy has no algorithm for this verb; trees (a shape such as binomial, "
                      "per_level or two_levels of shapes, segmented) serve all verbs but all_to_all(v), flat "
                      "and automatic all; which others serve it is in the registry, "
                      "topomp/plan/detail/algorithm.hpp, and in docs/collectives.md");
        return plan_for_verb<Policy, Verb>();
    }
}

/// The engine of a policy, if it is known at compile time.
template <class Policy>
inline constexpr algorithm only_algorithm =
    std::is_same_v<Policy, automatic> ? algorithm::any : algorithm_of<Policy>;

/// The same for a reduction: trees where the MPI's own is wrong for the type of the elements.
plan right_for(const plan& chosen, const message& result);

/// Whether an argument of type `Buffer&&` outlives the call.
template <class Buffer>
concept lasts = outlives_call<Buffer>;

/// Buffers of a non-blocking verb must live on after the call.
template <class... Buffers>
constexpr void assert_outlives() {
    static_assert((lasts<Buffers> && ...),
                  "topo: a non-blocking verb uses its buffers until its request is complete, and this one "
                  "ends with the call: pass a variable or a span");
}

/// What a blocking verb fills must be there to be read.
template <class Result>
constexpr void assert_readable() {
    static_assert(lasts<Result>, "topo: this verb fills a buffer that ends with the call, so that the result "
                                 "could not be read: pass a variable or a span");
}

/// Refuses at run time the operations that are refused at compile time if the operation is known then.
void require_order(std::string_view call, const plan& chosen, bool is_commutative);

/// The same of a policy for some of the ranks, checked by all ranks, so that none waits for one that has
/// left.
template <class Policy>
void require_order_of(std::string_view call, bool is_commutative) {
    if constexpr (algorithm_of<Policy> == algorithm::tree || algorithm_of<Policy> == algorithm::lanes)
        require_order(call, {algorithm_of<Policy>, tree_plan_of<Policy>}, is_commutative);
    else
        require_order(call, {algorithm_of<Policy>}, is_commutative);
}

/// The same at compile time.
template <class Policy, bool IsCommutative>
constexpr void assert_order() {
    static_assert(IsCommutative || !reorders(algorithm_of<Policy>),
                  "topo: the operation is not commutative, and the policy reorders operands: use a tree, or "
                  "recursive_doubling for all_reduce, or say boost::mpi::is_commutative if it is");
    if constexpr ((algorithm_of<Policy> == algorithm::tree || algorithm_of<Policy> == algorithm::lanes) &&
                  !IsCommutative)
        static_assert(
            tree_plan_of<Policy>.keeps_order(),
            "topo: the operation is not commutative, and the policy has a shape that reorders operands: use "
            "linear, chain, k_nomial<K> or in_order_binary, or say boost::mpi::is_commutative if it is");
}

/// The end of every search for an engine; `serves` excludes all other cases.
[[noreturn]] void refuse(verb what);

/// Refuses a result buffer of another size than the operands.
void require_same_size(std::string_view call, bool matters, std::size_t elements, std::size_t result);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/select.ipp>
#endif
