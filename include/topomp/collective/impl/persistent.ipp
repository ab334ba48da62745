// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace topo {

namespace detail {

TOPOMP_INLINE persistent when_started::of(std::unique_ptr<prepared> made) {
    persistent result;
    result.made_ = owned<prepared>::of(std::move(made));
    return result;
}

TOPOMP_INLINE void when_started::watch_one(const persistent& made, const watched_container& buffer) {
    of(made).buffers.push_back(buffer);
}

} // namespace detail

TOPOMP_INLINE persistent::persistent() noexcept = default;
TOPOMP_INLINE persistent::persistent(persistent&& other) noexcept = default;

TOPOMP_INLINE persistent& persistent::operator=(persistent&& other) {
    persistent taken{std::move(other)};
    leave("operator=");
    made_.swap(taken.made_);
    return *this;
}

TOPOMP_INLINE persistent::~persistent() noexcept(!detail::is_checked) {
    if (!active() || !mpi::is_running()) return;
    if constexpr (detail::is_checked)
        if (std::uncaught_exceptions() == 0) leave("~persistent"); // which throws
    try {
        wait();
    } catch (...) { // the collective was given up
    }
}

TOPOMP_INLINE bool persistent::active() const noexcept { return made_ != nullptr && made_->is_active; }

TOPOMP_INLINE detail::in_flight* persistent::among() const noexcept {
    return made_ == nullptr ? nullptr : &made_->among;
}

TOPOMP_INLINE detail::prepared& persistent::open(const char* member) const {
    if (made_ == nullptr)
        throw usage_error(
            std::string{"topo::persistent::"} + member, "persistent",
            "there is no collective in it, because none was assigned to it or it was moved from");
    detail::require_usable(true, "topo::persistent", member);
    return *made_;
}

TOPOMP_INLINE detail::operation* persistent::running() const noexcept {
    return made_ == nullptr ? nullptr : made_->running.get();
}

/// The end of what this one was. Ranks that have started theirs need this one's messages, so it is completed
/// first.
TOPOMP_INLINE void persistent::leave(const char* member) {
    if (!active()) return made_.reset();
    wait();
    const auto left = std::move(made_);
    if constexpr (detail::is_checked)
        throw usage_error(left->call, std::string{"topo::persistent::"} + member,
                          "it is active: wait for it before");
}

TOPOMP_INLINE void persistent::start() {
    detail::prepared& mine = open("start");
    if (mine.is_active)
        throw usage_error(mine.call, "topo::persistent::start",
                          "it is active already: wait for it before it is started again");
    for (const auto& each : mine.buffers)
        if (const auto now = each.place_of(each.container); now != each.then)
            throw argument_error(mine.call, "buffer",
                                 "the container has moved its elements since: it had " +
                                     std::to_string(each.then.size) + ", it has " + std::to_string(now.size));
    const detail::in_flight::turn alone{mine.among};
    if (!mine.replaces_running && mine.running != nullptr && !mine.running->is_idle())
        throw usage_error(mine.call, "topo::persistent::start",
                          "its last start has failed, and messages of it are under way: make another one");
    mine.start();
    mine.is_active = true;
    try {
        mine.among.begin(*mine.running);
    } catch (...) {
        mine.among.remove(*mine.running);
        mine.is_active = false;
        mine.running->note_failure();
        throw;
    }
}

/// Goes on with an active one. What has failed is not active any more. @return whether it is complete
template <class Step>
bool persistent::go_on(const char* member, Step step) {
    detail::prepared& mine = open(member);
    const detail::in_flight::turn alone{mine.among};
    const auto end = [&] {
        mine.among.remove(*mine.running);
        mine.is_active = false;
    };
    try {
        if (!step(mine)) return false;
    } catch (...) {
        end();
        mine.running->note_failure();
        throw;
    }
    end();
    return true;
}

TOPOMP_INLINE bool persistent::test() {
    return !active() || go_on("test", [](detail::prepared& mine) { return mine.among.test(*mine.running); });
}

TOPOMP_INLINE void persistent::wait() {
    if (!active()) return;
    go_on("wait", [](detail::prepared& mine) { return mine.among.wait(*mine.running), true; });
}

TOPOMP_INLINE void persistent::free() {
    if (active())
        throw usage_error(made_->call, "topo::persistent::free", "it is active: wait for it before");
    made_.reset();
}

} // namespace topo
