// SPDX-License-Identifier: BSL-1.0
/// @file
/// A policy that learns while the program runs.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/adaptive_choice.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <exception>
#include <utility>

namespace topo {

/// Learns which plan is the fastest: the first calls of a verb and a power of two of bytes on a hierarchy
/// take turns between the few plans that `automatic` would consider first and the MPI's own collective. Then
/// all ranks agree on the one that took the ranks the least time in the mean, and use it; now and then they
/// compare it again.
///
/// ```
/// topo::all_reduce(levels, values, sum, std::plus<>{}, topo::adaptive{});
/// ```
/// The elements of a sum of floating-point numbers may be added in another order from one call to the next.
/// `placement_independent<adaptive>` chooses only between lengths of segments of one tree, so that the result
/// has the same bits as with `placement_independent<binomial>`.
///
/// Non-blocking forms and those with unequal counts (gatherv, scatterv, all_gatherv, all_to_allv) do as
/// `automatic`.
/// @collective as the verb; the ranks must call the verbs of a hierarchy in the same order
/// @cost an all-reduce of up to four numbers after 16 calls or more, after some 30 more, then after 1024,
/// 2048, ...
/// calls; else some nanoseconds a call
/// @see docs/tuning.md
struct adaptive {};

namespace detail {

/// A plan for one call, whose time counts from now to its destruction, unless an exception ends the call.
class timed_plan : public plan {
public:
    timed_plan(const plan& what) : plan(what) {}
    timed_plan(const plan& what, adaptive_choice& choice, std::size_t candidate)
        : plan(what), choice_(&choice), candidate_(candidate), exceptions_(std::uncaught_exceptions()),
          begin_(MPI_Wtime()) {}
    timed_plan(const timed_plan&) = delete;
    timed_plan(timed_plan&& other) noexcept
        : plan(other), choice_(std::exchange(other.choice_, nullptr)), candidate_(other.candidate_),
          exceptions_(other.exceptions_), begin_(other.begin_) {}
    timed_plan& operator=(const timed_plan&) = delete;
    timed_plan& operator=(timed_plan&&) = delete;
    ~timed_plan() {
        if (choice_ != nullptr && std::uncaught_exceptions() == exceptions_)
            choice_->took(candidate_, MPI_Wtime() - begin_);
    }

private:
    adaptive_choice* choice_ = nullptr;
    std::size_t candidate_ = 0;
    int exceptions_ = 0;
    double begin_ = 0;
};

/// @param is_one_tree whether only plans that combine in the same order may serve
/// @collective over the whole at the first call and at the end of trials
timed_plan choose_adaptively(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative,
                             bool is_one_tree);

template <>
struct run_time_decision<adaptive> {
    static timed_plan of(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative) {
        return choose_adaptively(what, levels, bytes, is_commutative, false);
    }
};
template <>
struct run_time_decision<placement_independent<adaptive>> {
    static timed_plan of(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative) {
        return choose_adaptively(what, levels, bytes, is_commutative, true);
    }
};

template <>
inline constexpr algorithm algorithm_of<adaptive> = algorithm::any;
template <>
inline constexpr algorithm algorithm_of<placement_independent<adaptive>> = algorithm::any;
template <>
inline constexpr bool depends_on_nodes<adaptive> = true;
template <>
inline constexpr bool depends_on_nodes<placement_independent<adaptive>> = false;

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/adaptive.ipp>
#endif
