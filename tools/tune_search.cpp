// SPDX-License-Identifier: BSL-1.0
#include "tune_search.hpp"

#include "tune_export.hpp"
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace topo::tool {

using detail::tuning_file;

std::vector<plan> plans_to_try(const detail::call_key& now, const detail::cost_sources& known) {
    std::vector<plan> plans{plan{}};
    const auto add = [&](const plan& each) { // as a file has it
        const std::string text = to_string(each);
        const plan again = read_plan("topomp tune", text, text);
        if (std::ranges::find(plans, again) == plans.end()) plans.push_back(again);
    };
    add(decide(now));
    for (const auto& each : rank_plans(now, known))
        add(each.what);
    const auto costs = costs_for(now, known).costs;
    constexpr double unknown = std::numeric_limits<double>::infinity();
    std::vector<std::pair<double, const plan*>> others;
    const auto add_other = [&](const plan* each) {
        others.emplace_back(seconds_of(*each, now, costs).value_or(unknown), each);
    };
    for (const plan* const each : candidates_for(now))
        add_other(each);
    for (const plan* const each : plans_of_mpi(now))
        add_other(each);
    for (const plan* const each : {&plan_of<k_ary_bruck<>>, &plan_of<node_aggregated<>>})
        if (serves(each->uses, now.what)) add_other(each);
    std::ranges::stable_sort(others, {}, [](const auto& each) { return each.first; });
    for (const auto& [seconds, each] : others)
        add(*each);
    return plans;
}

std::vector<double> times_like(const tuning_file::row& measured) {
    std::vector<double> times(
        static_cast<std::size_t>(std::clamp(measured.calls, 1, tune_search::most_calls)));
    const auto count = static_cast<double>(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double place = (2 * static_cast<double>(i) + 1) / count - 1; // between -1 and 1
        times[i] = measured.seconds * std::max(0.01, 1 + std::min(measured.spread, 0.99) * place);
    }
    return times;
}

double spread_of(const std::vector<double>& seconds) {
    const std::size_t last = seconds.size() - 1;
    return (seconds[last - last / 4] - seconds[last / 4]) / seconds[seconds.size() / 2];
}

double tune_search::tried::median() const { return seconds[seconds.size() / 2]; }

void tune_search::add(const tuned_call& call, const std::vector<plan>& plans) {
    if (std::ranges::any_of(calls_, [&](const auto& each) { return each.what == call; })) return;
    candidates made{call, {}, 0};
    for (const plan& each : plans)
        made.plans.push_back({each, {}, false});
    const auto place = std::ranges::upper_bound(calls_, call.bytes, {},
                                                [](const candidates& each) { return each.what.bytes; });
    calls_.insert(place, std::move(made));
}

bool tune_search::know(const tuning_file::row& measured) {
    const tuned_call call{measured.what, measured.bytes, measured.is_commutative};
    const auto found = std::ranges::find(calls_, call, &candidates::what);
    if (found == calls_.end()) return false;
    auto known = std::ranges::find(found->plans, measured.chosen, &tried::what);
    if (known == found->plans.end()) known = found->plans.insert(known, {measured.chosen, {}, false});
    known->seconds = times_like(measured);
    return true;
}

void tune_search::open(candidates& call, const plan& what) {
    const auto found = std::ranges::find(call.plans, what, &tried::what);
    const auto place = static_cast<std::size_t>(found - call.plans.begin());
    if (found == call.plans.end() || place < call.open) return;
    const auto next = call.plans.begin() + static_cast<std::ptrdiff_t>(call.open);
    std::rotate(next, found, found + 1);
    ++call.open;
}

const tune_search::tried* tune_search::best_of(const candidates& call) {
    const tried* best = nullptr;
    for (const tried& each : call.plans)
        if (!each.seconds.empty() && (best == nullptr || each.median() < best->median())) best = &each;
    return best;
}

void tune_search::begin_round() {
    ++round_;
    at_call_ = at_plan_ = 0;
    for (candidates& call : calls_)
        call.open =
            std::max(call.open, std::min(call.plans.size(), std::size_t{2} << static_cast<unsigned>(round_)));
    if (round_ == rounds - 1)
        for (candidates& call : calls_)
            call.open = call.plans.size();
    for (candidates& one : calls_) {
        const tried* const best = best_of(one);
        if (best == nullptr) continue;
        drop_slow(one);
        const plan what = best->what;
        candidates* below = nullptr;
        candidates* above = nullptr;
        for (candidates& each : calls_) {
            if (each.what.what != one.what.what || each.what.is_commutative != one.what.is_commutative)
                continue;
            if (each.what.bytes < one.what.bytes) below = &each;
            if (each.what.bytes > one.what.bytes && above == nullptr) above = &each;
        }
        for (candidates* const each : {below, above})
            if (each != nullptr) open(*each, what);
    }
}

void tune_search::drop_slow(candidates& call) const {
    constexpr double clearly = 1.1, by_far = 3; // of one call, which may have been disturbed
    const tried* const best = best_of(call);
    for (tried& each : call.plans)
        if (!each.seconds.empty())
            each.is_out = each.seconds.front() >
                          (each.seconds.size() < first_calls ? by_far : clearly) * best->median();
}

std::optional<tune_search::task> tune_search::next() {
    while (true) {
        if (round_ < 0 || at_call_ == calls_.size()) {
            if (round_ == rounds - 1 || calls_.empty()) return std::nullopt;
            begin_round();
        }
        candidates& call = calls_[at_call_];
        const int wanted = first_calls << static_cast<unsigned>(round_);
        for (; at_plan_ < call.open; ++at_plan_) {
            const tried& each = call.plans[at_plan_];
            const int have = static_cast<int>(each.seconds.size());
            // A first call tells whether two more are worth while, and these whether many are.
            const int now = have == 0 ? 1 : have < first_calls ? first_calls : wanted;
            if (!each.is_out && have < now) return task{at_call_, at_plan_, now - have, have == 0};
        }
        ++at_call_;
        at_plan_ = 0;
    }
}

void tune_search::took(const task& done, const std::vector<double>& seconds) {
    candidates& call = calls_[done.call];
    tried& what = call.plans[done.plan];
    what.seconds.insert(what.seconds.end(), seconds.begin(), seconds.end());
    std::ranges::sort(what.seconds);
    drop_slow(call);
}

tuning_file::row tune_search::row_of(const task& one) const {
    const candidates& call = calls_[one.call];
    const tried& what = call.plans[one.plan];
    return {call.what.what,
            call.what.bytes,
            call.what.is_commutative,
            what.what,
            what.median(),
            spread_of(what.seconds),
            static_cast<int>(what.seconds.size())};
}

double tune_search::expected(const task& one) const {
    const candidates& call = calls_[one.call];
    const tried& what = call.plans[one.plan];
    const tried* const known = what.seconds.empty() ? best_of(call) : &what;
    return known == nullptr ? 0 : (one.calls + (one.is_first ? 1 : 0)) * known->median();
}

std::size_t tune_search::measured_count() const {
    std::size_t count = 0;
    for (const candidates& call : calls_)
        for (const tried& each : call.plans)
            count += each.seconds.empty() ? 0 : 1;
    return count;
}

} // namespace topo::tool
