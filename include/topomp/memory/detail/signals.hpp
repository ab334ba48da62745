// SPDX-License-Identifier: BSL-1.0
/// @file
/// Synchronisation of ranks through counters in shared memory.
#pragma once

#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <cstddef>
#include <span>

namespace topo {

/// How the ranks of a barrier wait: each for the signals of all others, or up and down a tree.
enum class barrier_form { flat, tree };

/// The signals of some ranks that share memory, one each, and the calling rank's position in the sequence of
/// steps that all of them take. Needs no MPI.
///
/// Every call is a step, and all ranks take the same steps in the same order. In a step a rank that signals
/// raises its signal to the number of the step; a rank for which no other rank waits leaves its signal as it
/// is. So one signal for each rank serves for all kinds of steps, whichever ranks signal and wait.
///
/// ```
///   step        1 barrier   2 one_to_many(0)   3 many_to_one(0)
///   signal 0    1           2                                      waits for the others to be at 3
///   signal 1    1                              3
/// ```
class signals {
public:
    using value_type = signal::value_type;

    /// The barrier of up to so many ranks is flat, that of more ranks a tree.
    static constexpr std::size_t most_flat = 16;
    /// In a tree a rank has up to so many children, for which it waits.
    static constexpr std::size_t tree_children = 4;

    signals() noexcept = default;
    /// @param row a signal of each rank, in memory of all of them, all 0 at the beginning
    /// @param rank the calling rank's place among them
    signals(std::span<signal> row, int rank) noexcept;

    int size() const noexcept { return static_cast<int>(ranks_); }
    int rank() const noexcept { return static_cast<int>(rank_); }
    /// How many steps this rank has taken.
    value_type steps() const noexcept { return step_; }

    /// No rank returns before all have called. What a rank wrote before its call is visible to all ranks
    /// after theirs.
    /// @collective over the ranks of the row
    /// @cost flat: each rank reads all signals; tree: the time of 2 log4(ranks) signals
    void barrier(const waiting& waits) { barrier(waits, form()); }
    void barrier(const waiting& waits, barrier_form by);

    /// The same, but waits until `end` at most. @return whether all ranks have called. If not, the row cannot
    /// be used any more: the ranks are at different steps.
    bool barrier(const waiting& waits, detail::deadline end);

    /// All ranks wait for a signal of rank `from`, which does not wait. @collective over the ranks of the row
    void one_to_many(int from, const waiting& waits);

    /// Rank `to` waits for a signal of each other rank; the others do not wait. @collective over the ranks of
    /// the row
    void many_to_one(int to, const waiting& waits);

    /// Raises this rank's signal for the last time: the rank takes no more steps. Not collective.
    void leave() noexcept { row_[rank_].raise_to(signal::gone); }
    /// Whether all ranks have left.
    bool have_left() const noexcept { return are_at(signal::gone); }

private:
    struct step_of_barrier {
        barrier_form by;
        value_type arrival, release;
    };

    barrier_form form() const noexcept;

    step_of_barrier begin_barrier(barrier_form by, const waiting& waits);

    /// Goes as far as possible; asked until it is true.
    bool has_ended(const step_of_barrier& at, const waiting& waits);
    /// For the first signal without which it does not end; returns at once if there is none.
    void wait_for_next(const step_of_barrier& at, const waiting& waits);

    bool children_are_at(value_type step) const noexcept;
    std::size_t children() const noexcept;

    /// In a simulation: what it takes to see all others. In a tree each step is charged when it is taken.
    void charge_flat(const step_of_barrier& at) const;

    bool are_at(value_type step) const noexcept;

    bool others_are_at(value_type step) const noexcept;

    /// Without a charge.
    void look_for(std::size_t rank, value_type step, const waiting& waits) const;

    /// Wakes ranks that sleep.
    void raise_to(value_type step, const waiting& waits) noexcept;
    void raise(const waiting& waits) noexcept { raise_to(step_, waits); }

    signal* row_ = nullptr; ///< of each of the ranks
    std::size_t ranks_ = 0;
    std::size_t rank_ = 0;
    value_type step_ = 0;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/signals.ipp>
#endif
