// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace topo {

TOPOMP_INLINE signals::signals(std::span<signal> row, int rank) noexcept
    : row_(row.data()), ranks_(row.size()), rank_(static_cast<std::size_t>(rank)) {}

TOPOMP_INLINE void signals::raise_to(value_type step, const waiting& waits) noexcept {
    raise_and_wake(row_[rank_], step, waits);
}

TOPOMP_INLINE void signals::look_for(std::size_t rank, value_type step, const waiting& waits) const {
    wait_asleep(waits, event_of(row_[rank]), [&] { return row_[rank].value() >= step; });
}

TOPOMP_INLINE void signals::barrier(const waiting& waits, barrier_form by) {
    const step_of_barrier at = begin_barrier(by, waits);
    if (waits.sleeps())
        while (!has_ended(at, waits))
            wait_for_next(at, waits);
    else
        waits.until_raised([&] { return has_ended(at, waits); });
    charge_flat(at);
}

TOPOMP_INLINE bool signals::barrier(const waiting& waits, detail::deadline end) {
    const step_of_barrier at = begin_barrier(form(), waits);
    const bool has_come = waits.until([&] { return has_ended(at, waits); }, end);
    charge_flat(at);
    return has_come;
}

TOPOMP_INLINE void signals::one_to_many(int from, const waiting& waits) {
    ++step_;
    if (rank() == from) return raise(waits);
    look_for(static_cast<std::size_t>(from), step_, waits);
    detail::charge_signals(1);
}

TOPOMP_INLINE void signals::many_to_one(int to, const waiting& waits) {
    ++step_;
    if (rank() != to) return raise(waits);
    if (waits.sleeps())
        for (std::size_t i = 0; i < ranks_; ++i)
            if (i != rank_) look_for(i, step_, waits);
    waits.until_raised([&] { return others_are_at(step_); });
    detail::charge_signals(ranks_ - 1);
}

TOPOMP_INLINE barrier_form signals::form() const noexcept {
    return ranks_ <= most_flat ? barrier_form::flat : barrier_form::tree;
}

TOPOMP_INLINE signals::step_of_barrier signals::begin_barrier(barrier_form by, const waiting& waits) {
    step_of_barrier at{by, step_ + 1, step_ + 2};
    step_ = by == barrier_form::flat ? at.arrival : at.release;
    if (by == barrier_form::flat) raise(waits);
    return at;
}

TOPOMP_INLINE bool signals::has_ended(const step_of_barrier& at, const waiting& waits) {
    if (at.by == barrier_form::flat) return are_at(at.arrival);
    if (row_[rank_].value() < at.arrival) {
        if (!children_are_at(at.arrival)) return false;
        detail::charge_signals(children());
        raise_to(rank_ == 0 ? at.release : at.arrival, waits);
    }
    if (rank_ == 0) return true;
    if (row_[(rank_ - 1) / tree_children].value() < at.release) return false;
    detail::charge_signals(1);
    raise_to(at.release, waits);
    return true;
}

TOPOMP_INLINE void signals::wait_for_next(const step_of_barrier& at, const waiting& waits) {
    const bool is_flat = at.by == barrier_form::flat, has_arrived = row_[rank_].value() >= at.arrival;
    if (!is_flat && has_arrived) return look_for((rank_ - 1) / tree_children, at.release, waits);
    const std::size_t first = is_flat ? 0 : rank_ * tree_children + 1,
                      last = is_flat ? ranks_ : first + children();
    for (std::size_t i = first; i < last; ++i)
        if (row_[i].value() < at.arrival) return look_for(i, at.arrival, waits);
}

TOPOMP_INLINE bool signals::children_are_at(value_type step) const noexcept {
    const std::size_t first = rank_ * tree_children + 1;
    for (std::size_t child = first; child < first + children(); ++child)
        if (row_[child].value() < step) return false;
    return true;
}

TOPOMP_INLINE std::size_t signals::children() const noexcept {
    const std::size_t first = rank_ * tree_children + 1;
    return first < ranks_ ? std::min(tree_children, ranks_ - first) : 0;
}

TOPOMP_INLINE void signals::charge_flat(const step_of_barrier& at) const {
    if (at.by == barrier_form::flat) detail::charge_signals(ranks_ - 1);
}

TOPOMP_INLINE bool signals::are_at(value_type step) const noexcept {
    return std::all_of(row_, row_ + ranks_, [&](const signal& each) { return each.value() >= step; });
}

TOPOMP_INLINE bool signals::others_are_at(value_type step) const noexcept {
    for (std::size_t i = 0; i < ranks_; ++i)
        if (i != rank_ && row_[i].value() < step) return false;
    return true;
}

} // namespace topo
