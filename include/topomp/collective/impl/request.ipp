// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/detail/watched_buffers.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/mpi.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE request::request() noexcept = default;

TOPOMP_INLINE request::request(request&& other) noexcept { swap(other); }

TOPOMP_INLINE void request::require_usable(const char* member) const {
    detail::require_usable(true, "topo::request", member);
}

TOPOMP_INLINE request::request(std::vector<request> parts) : parts_(std::move(parts)) {
    std::erase_if(parts_, [](const request& each) { return !each.active(); });
}

template <class Step>
bool request::go_on(Step step) {
    try {
        return step();
    } catch (...) {
        among_->remove(*running_);
        if (alive_ != nullptr) running_->keep(std::move(alive_));
        detail::keep_given_up(running_.release(), among_->left);
        levels_.reset();
        buffers_ = {};
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
    } catch (...) { // the collective was abandoned
    }
}

TOPOMP_INLINE bool request::test() {
    if (!active()) return true;
    require_usable("test");
    if (detail::is_checked && !is_under_way()) return leave_buffers(), true;
    if (!parts_.empty()) {
        std::erase_if(parts_, [](request& each) { return each.test(); });
        return parts_.empty();
    }
    const detail::in_flight::turn alone{*among_};
    if (go_on([this] { return among_->test(*running_); })) finish();
    return !active();
}

TOPOMP_INLINE void request::swap(request& other) noexcept {
    levels_.swap(other.levels_);
    alive_.swap(other.alive_);
    running_.swap(other.running_);
    parts_.swap(other.parts_);
    std::swap(among_, other.among_);
    std::swap(pool_, other.pool_);
    std::swap(give_back_, other.give_back_);
    if constexpr (detail::is_checked) std::swap(buffers_, other.buffers_);
}

TOPOMP_INLINE void request::leave_buffers() {
    if constexpr (detail::is_checked) std::exchange(buffers_, {}).require_unmoved_here();
}

TOPOMP_INLINE void request::finish() {
    among_->remove(*running_);
    give_back_(pool_, running_.release());
    alive_.reset();
    levels_.reset();
    leave_buffers();
}

} // namespace topo

// request::wait waits for parts by wait_all, which a program may have begun to include.
#include <topomp/collective/wait.hpp>
