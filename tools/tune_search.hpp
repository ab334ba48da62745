// SPDX-License-Identifier: BSL-1.0
/// @file
/// In which order plans are measured, and which are dropped. Needs no MPI.
#pragma once

#include "tune_calls.hpp"
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace topo::tool {

/// All plans that are measured for a key: the MPI's own, what is decided for without any file, then by what
/// is known of their costs; last those of which nothing is known.
std::vector<plan> plans_to_try(const detail::call_key& now, const detail::cost_sources& known);

/// Successive halving. Round r opens the first 2^(r + 1) plans of each call, and gives each that is not
/// dropped 3 * 2^r timed calls. A plan is dropped if its only call takes three times the median of the best
/// one, or later if the fastest of its calls takes a tenth longer than that. The plan that is the best of the
/// next shorter or longer call is opened too: times are interpolated only between lengths at which a plan was
/// measured.
class tune_search {
public:
    static constexpr int first_calls = 3, rounds = 6, most_calls = first_calls << (rounds - 1);

    /// The next calls to make.
    struct task {
        std::size_t call = 0, plan = 0; ///< indices
        int calls = 0;
        bool is_first = false; ///< of this plan: one more call before them is not timed
    };

    /// Short calls come first. Must be added before the first `next`.
    void add(const tuned_call& call, const std::vector<plan>& plans);
    /// What was measured earlier. @return whether there is such a call
    bool know(const detail::tuning_file::row& measured);

    /// Nothing: all is measured.
    std::optional<task> next();
    /// Leaves out what `next` has given, in this round.
    void skip() { ++at_plan_; }
    /// The seconds of a task.
    void took(const task& done, const std::vector<double>& seconds);

    const tuned_call& call_of(const task& one) const { return calls_[one.call].what; }
    const plan& plan_of(const task& one) const { return calls_[one.call].plans[one.plan].what; }
    /// What is known of a task's plan.
    detail::tuning_file::row row_of(const task& one) const;
    /// Seconds that a task may take, by what is known of its call; 0: nothing is.
    double expected(const task& one) const;

    std::size_t call_count() const { return calls_.size(); }
    /// Of the calls, and how many of their plans were measured.
    std::size_t measured_count() const;
    int round() const { return round_; }

private:
    struct tried {
        plan what;
        std::vector<double> seconds; ///< ascending
        bool is_out = false;

        double median() const;
    };
    struct candidates {
        tuned_call what;
        std::vector<tried> plans;
        std::size_t open = 0;
    };

    void begin_round();
    void open(candidates& call, const plan& what);
    static const tried* best_of(const candidates& call);
    void drop_slow(candidates& call) const;

    std::vector<candidates> calls_;
    std::size_t at_call_ = 0, at_plan_ = 0;
    int round_ = -1;
};

/// As many times as were measured, evenly spread around a median so that quartiles are as far apart as they
/// were.
std::vector<double> times_like(const detail::tuning_file::row& measured);
/// The third less the first quartile, divided by the median. @param seconds ascending
double spread_of(const std::vector<double>& seconds);

} // namespace topo::tool
