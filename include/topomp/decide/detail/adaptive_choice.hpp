// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `adaptive` has measured of the calls of one verb and class of lengths.
#pragma once

#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace topo::detail {

/// A choice among a few candidates by their measured times.
///
/// The candidates take turns for a trial, the best ones for a second, longer trial. Then the fastest serves
/// all calls, but for a short trial beside its closest rivals after 1024 calls, after 2048 more, and so on:
/// what trials cost in the mean tends to 0, and a change of the machine's load is noticed.
///
/// All ranks take the same turns. Each knows its own times, until `agree` gets the sums over all ranks.
class adaptive_choice {
public:
    /// @param tried the candidates: the most promising first, the last is the MPI's own @pre not empty
    explicit adaptive_choice(std::vector<plan> tried);

    struct turn {
        const plan* what;
        std::optional<std::size_t> trial; ///< the candidate, if the time of the call counts
    };
    /// The plan of the next call. @pre not `must_agree()`
    turn next();
    /// What a call of a trial took on this rank.
    void took(std::size_t candidate, double seconds);

    /// Whether a trial is over: the same on all ranks.
    bool must_agree() const { return to_come_ == 0 && calls_ == contestants_.size() * (1 + rounds_); }
    /// The median of this rank's times of each contestant, in seconds.
    std::vector<double> medians();
    /// The decision by the sums of all ranks' medians.
    void agree(std::span<const double> sums);

    const plan& chosen() const { return candidates_[chosen_]; }
    bool is_in_trial() const { return to_come_ == 0; }

private:
    void begin_trial(std::vector<std::size_t> contestants, std::size_t rounds);

    std::vector<plan> candidates_;
    std::vector<std::vector<double>> samples_;
    std::vector<std::size_t> contestants_; ///< of the current or next trial, ascending
    std::size_t rounds_ = 0;               ///< of a trial whose times count, behind one that warms up
    std::size_t calls_ = 0;                ///< of the trial
    std::size_t to_come_ = 0;              ///< calls until the next trial
    std::size_t pause_;                    ///< calls between trials
    std::size_t chosen_ = 0;
    bool is_first_ = true;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/adaptive_choice.ipp>
#endif
