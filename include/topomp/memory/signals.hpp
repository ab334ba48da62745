// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks that tell each other through shared memory how far they are.
#pragma once

#include <topomp/memory/signal.hpp>
#include <topomp/memory/simulated.hpp>
#include <topomp/memory/waiting.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>

namespace topo {

/// How ranks come together: each looks at each, or up and down a tree.
enum class barrier_form { flat, tree };

/// The signals of some ranks that share memory, one each, and where the calling rank is in the row of steps
/// that all of them take. Needs no MPI.
///
/// Every call is a step, and all ranks take the same steps in the same order; a rank that has nothing to say
/// in a step leaves its signal as it is, for nobody waits for it. So one signal for each rank serves for all
/// kinds of steps, whoever speaks and whoever listens.
///
/// ```
///   step        1 barrier   2 one_to_many(0)   3 many_to_one(0)
///   signal 0    1           2                                      waits for the others to be at 3
///   signal 1    1                              3
/// ```
class signals {
public:
    using value_type = signal::value_type;

    /// Up to so many ranks each looks at each other's signal; more meet in a tree.
    static constexpr std::size_t most_flat = 16;
    /// In a tree a rank waits for so many.
    static constexpr std::size_t tree_children = 4;

    signals() noexcept = default;
    /// @param row a signal of each rank, in memory of all of them, all 0 at the beginning
    /// @param rank the calling rank's place in the row
    signals(std::span<signal> row, int rank) noexcept : row_(row), rank_(static_cast<std::size_t>(rank)) {}

    int size() const noexcept { return static_cast<int>(row_.size()); }
    int rank() const noexcept { return static_cast<int>(rank_); }
    /// How many steps this rank has taken.
    value_type steps() const noexcept { return step_; }

    /// Nobody goes on before all have come; what a rank wrote before, all see after.
    /// @collective over the ranks of the row
    /// @cost flat: each rank reads all signals; tree: the time of 2 log4(ranks) signals
    void barrier(const waiting& how) { barrier(how, form()); }
    void barrier(const waiting& how, barrier_form by) {
        const step_of_barrier at = begin_barrier(by);
        how.until_raised([&] { return has_ended(at); });
        charge_flat(at);
    }

    /// The same, but waits no longer than so long. @return whether all have come. If not, the row is lost:
    /// the others are at other steps.
    bool barrier(const waiting& how, std::chrono::nanoseconds limit) {
        const step_of_barrier at = begin_barrier(form());
        const bool has_come = how.until([&] { return has_ended(at); }, limit);
        charge_flat(at);
        return has_come;
    }

    /// One rank tells all that it is here; it does not wait. @collective over the ranks of the row
    void one_to_many(int from, const waiting& how) {
        ++step_;
        if (rank() == from) return raise();
        wait_for(from, step_, how);
    }

    /// All ranks tell one that they are here; only that one waits. @collective over the ranks of the row
    void many_to_one(int to, const waiting& how) {
        ++step_;
        if (rank() != to) return raise();
        how.until_raised([&] { return others_are_at(step_); });
        detail::charge_signals(row_.size() - 1);
    }

    /// Says to whoever asks that this rank takes no more steps. Not collective.
    void leave() noexcept { row_[rank_].raise_to(signal::gone); }
    /// Whether all ranks have left.
    bool have_left() const noexcept { return are_at(signal::gone); }

private:
    struct step_of_barrier {
        barrier_form by;
        value_type arrival, release;
    };

    barrier_form form() const noexcept {
        return row_.size() <= most_flat ? barrier_form::flat : barrier_form::tree;
    }

    step_of_barrier begin_barrier(barrier_form by) {
        step_of_barrier at{by, step_ + 1, step_ + 2};
        step_ = by == barrier_form::flat ? at.arrival : at.release;
        if (by == barrier_form::flat) raise();
        return at;
    }

    /// Goes as far as possible; asked until it is true.
    bool has_ended(const step_of_barrier& at) {
        if (at.by == barrier_form::flat) return are_at(at.arrival);
        if (row_[rank_].value() < at.arrival) {
            if (!children_are_at(at.arrival)) return false;
            detail::charge_signals(children());
            row_[rank_].raise_to(rank_ == 0 ? at.release : at.arrival);
        }
        if (rank_ == 0) return true;
        if (row_[(rank_ - 1) / tree_children].value() < at.release) return false;
        detail::charge_signals(1);
        row_[rank_].raise_to(at.release);
        return true;
    }

    bool children_are_at(value_type step) const noexcept {
        const std::size_t first = rank_ * tree_children + 1;
        for (std::size_t child = first; child < first + children(); ++child)
            if (row_[child].value() < step) return false;
        return true;
    }
    std::size_t children() const noexcept {
        const std::size_t first = rank_ * tree_children + 1;
        return first < row_.size() ? std::min(tree_children, row_.size() - first) : 0;
    }

    /// In a simulation: what it takes to see all others. In a tree each step is charged when it is taken.
    void charge_flat(const step_of_barrier& at) const {
        if (at.by == barrier_form::flat) detail::charge_signals(row_.size() - 1);
    }

    bool are_at(value_type step) const noexcept {
        return std::ranges::all_of(row_, [&](const signal& each) { return each.value() >= step; });
    }

    bool others_are_at(value_type step) const noexcept {
        for (std::size_t i = 0; i < row_.size(); ++i)
            if (i != rank_ && row_[i].value() < step) return false;
        return true;
    }

    void wait_for(int rank, value_type step, const waiting& how) const {
        const signal& other = row_[static_cast<std::size_t>(rank)];
        how.until_raised([&] { return other.value() >= step; });
        detail::charge_signals(1);
    }

    void raise() noexcept { row_[rank_].raise_to(step_); }

    std::span<signal> row_;
    std::size_t rank_ = 0;
    value_type step_ = 0;
};

} // namespace topo
