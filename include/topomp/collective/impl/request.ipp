// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/in_flight.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/usable.hpp>

#include <utility>

namespace topo {

TOPOMP_INLINE request::request() noexcept = default;

TOPOMP_INLINE request::request(request&& other) noexcept { swap(other); }

TOPOMP_INLINE void request::require_usable(const char* member) const {
    detail::require_usable(true, "topo::request", member);
}

TOPOMP_INLINE detail::team& request::team() { return detail::team::of(*tree_); }

template <class Step>
bool request::go_on(Step step) {
    try {
        return step();
    } catch (...) {
        team().running().remove(*running_);
        static_cast<void>(running_.release()); // messages may still come into its memory
        tree_.reset();
        throw;
    }
}

TOPOMP_INLINE request& request::operator=(request&& other) { // NOLINT(performance-noexcept-move-constructor)
    request taken{std::move(other)};
    wait();
    swap(taken);
    return *this;
}

TOPOMP_INLINE request::~request() {
    if (!active() || !mpi::is_running()) return;
    try {
        wait();
    } catch (...) { // the collective was given up
    }
}

TOPOMP_INLINE bool request::test() {
    if (!active()) return true;
    require_usable("test");
    if (go_on([this] { return team().running().test(*running_); })) finish();
    return !active();
}

TOPOMP_INLINE void request::wait() {
    if (!active()) return;
    require_usable("wait");
    go_on([this] { return team().running().wait(*running_), true; });
    finish();
}

TOPOMP_INLINE void request::swap(request& other) noexcept {
    tree_.swap(other.tree_);
    running_.swap(other.running_);
    std::swap(give_back_, other.give_back_);
}

TOPOMP_INLINE void request::finish() {
    team().running().remove(*running_);
    give_back_(team(), std::move(running_));
    tree_.reset();
}

} // namespace topo
