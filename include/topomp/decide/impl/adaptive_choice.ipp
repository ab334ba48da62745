// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/adaptive_choice.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

namespace adaptive_rules {

inline constexpr std::size_t first_rounds = 3, more_rounds = 8, later_rounds = 4;
inline constexpr std::size_t shortest_pause = 1024, longest_pause = 1U << 20U;
/// What a rival must gain to be preferred to a more promising candidate, and what a candidate may lose in the
/// first trial without being out: medians of a few calls are no better than that.
inline constexpr double worth_it = 0.97, still_in = 1.25;

} // namespace adaptive_rules

TOPOMP_INLINE adaptive_choice::adaptive_choice(std::vector<plan> tried)
    : candidates_(std::move(tried)), samples_(candidates_.size()),
      pause_(adaptive_rules::shortest_pause / 2) {
    std::vector<std::size_t> all(candidates_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    begin_trial(std::move(all), adaptive_rules::first_rounds);
}

TOPOMP_INLINE void adaptive_choice::begin_trial(std::vector<std::size_t> contestants, std::size_t rounds) {
    contestants_ = std::move(contestants);
    rounds_ = rounds;
    calls_ = 0;
    to_come_ = 0;
    for (auto& each : samples_)
        each.clear();
}

TOPOMP_INLINE adaptive_choice::turn adaptive_choice::next() {
    if (candidates_.size() == 1) return {&candidates_.front(), {}};
    if (to_come_ > 0) {
        --to_come_;
        return {&candidates_[chosen_], {}};
    }
    // Each round begins with another candidate, so that a pattern in the program's calls meets all alike.
    const std::size_t round = calls_ / contestants_.size();
    const std::size_t mine = contestants_[(calls_ + round) % contestants_.size()];
    ++calls_;
    return {&candidates_[mine], round > 0 ? std::optional{mine} : std::nullopt};
}

TOPOMP_INLINE void adaptive_choice::took(std::size_t candidate, double seconds) {
    samples_[candidate].push_back(seconds);
}

TOPOMP_INLINE std::vector<double> adaptive_choice::medians() {
    std::vector<double> found;
    for (const std::size_t each : contestants_) {
        auto& times = samples_[each];
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        found.push_back(times.empty() ? 0 : *middle);
    }
    return found;
}

TOPOMP_INLINE void adaptive_choice::agree(std::span<const double> sums) {
    using namespace adaptive_rules;
    std::size_t best = 0;
    for (std::size_t i = 1; i < sums.size(); ++i)
        if (sums[i] < sums[best] * (best < i ? worth_it : 1.0)) best = i;
    if (is_first_) {
        is_first_ = false;
        const double limit = still_in * *std::ranges::min_element(sums);
        std::vector<std::size_t> remaining;
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (sums[i] <= limit) remaining.push_back(contestants_[i]);
        if (remaining.size() > 1) return begin_trial(std::move(remaining), more_rounds);
    }
    const std::size_t found = contestants_[best];
    const auto before = std::ranges::find(contestants_, chosen_);
    // Two that are nearly equally fast may take turns for ever.
    const bool is_near =
        before != contestants_.end() &&
        sums[static_cast<std::size_t>(before - contestants_.begin())] <= still_in * sums[best];
    pause_ = found == chosen_ || is_near ? std::min(2 * pause_, longest_pause) : shortest_pause;
    chosen_ = found;
    // The next trial is between what is chosen, its closest rival and the MPI's own.
    std::vector<std::size_t> rivals{chosen_, candidates_.size() - 1};
    double closest = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (i != best && (rivals.size() == 2 || sums[i] < closest)) {
            rivals.resize(2);
            rivals.push_back(contestants_[i]);
            closest = sums[i];
        }
    std::ranges::sort(rivals);
    rivals.erase(std::unique(rivals.begin(), rivals.end()), rivals.end());
    if (rivals.size() == 1) rivals = {0, candidates_.size() - 1}; // the MPI's own was chosen alone
    begin_trial(std::move(rivals), later_rounds);
    to_come_ = pause_;
}

} // namespace topo::detail
