// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <algorithm>
#include <cstddef>

namespace topo {

TOPOMP_INLINE void signals::barrier(const waiting& waits, barrier_form by) {
    const step_of_barrier at = begin_barrier(by);
    waits.until_raised([&] { return has_ended(at); });
    charge_flat(at);
}

TOPOMP_INLINE bool signals::barrier(const waiting& waits, detail::deadline end) {
    const step_of_barrier at = begin_barrier(form());
    const bool has_come = waits.until([&] { return has_ended(at); }, end);
    charge_flat(at);
    return has_come;
}

TOPOMP_INLINE void signals::one_to_many(int from, const waiting& waits) {
    ++step_;
    if (rank() == from) return raise();
    wait_for(from, step_, waits);
}

TOPOMP_INLINE void signals::many_to_one(int to, const waiting& waits) {
    ++step_;
    if (rank() != to) return raise();
    waits.until_raised([&] { return others_are_at(step_); });
    detail::charge_signals(row_.size() - 1);
}

TOPOMP_INLINE barrier_form signals::form() const noexcept {
    return row_.size() <= most_flat ? barrier_form::flat : barrier_form::tree;
}

TOPOMP_INLINE signals::step_of_barrier signals::begin_barrier(barrier_form by) {
    step_of_barrier at{by, step_ + 1, step_ + 2};
    step_ = by == barrier_form::flat ? at.arrival : at.release;
    if (by == barrier_form::flat) raise();
    return at;
}

TOPOMP_INLINE bool signals::has_ended(const step_of_barrier& at) {
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

TOPOMP_INLINE bool signals::children_are_at(value_type step) const noexcept {
    const std::size_t first = rank_ * tree_children + 1;
    for (std::size_t child = first; child < first + children(); ++child)
        if (row_[child].value() < step) return false;
    return true;
}

TOPOMP_INLINE std::size_t signals::children() const noexcept {
    const std::size_t first = rank_ * tree_children + 1;
    return first < row_.size() ? std::min(tree_children, row_.size() - first) : 0;
}

TOPOMP_INLINE void signals::charge_flat(const step_of_barrier& at) const {
    if (at.by == barrier_form::flat) detail::charge_signals(row_.size() - 1);
}

TOPOMP_INLINE bool signals::are_at(value_type step) const noexcept {
    return std::ranges::all_of(row_, [&](const signal& each) { return each.value() >= step; });
}

TOPOMP_INLINE bool signals::others_are_at(value_type step) const noexcept {
    for (std::size_t i = 0; i < row_.size(); ++i)
        if (i != rank_ && row_[i].value() < step) return false;
    return true;
}

TOPOMP_INLINE void signals::wait_for(int rank, value_type step, const waiting& waits) const {
    const signal& other = row_[static_cast<std::size_t>(rank)];
    waits.until_raised([&] { return other.value() >= step; });
    detail::charge_signals(1);
}

} // namespace topo
