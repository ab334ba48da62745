// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#ifdef TOPOMP_CHECKED
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/waiting.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>
#endif

namespace topo {

namespace detail {

TOPOMP_INLINE persistent when_started::of(std::unique_ptr<prepared> made) {
    persistent result;
    result.made_ = owned<prepared>::of(std::move(made));
    return result;
}

TOPOMP_INLINE buffers_of_call& when_started::buffers_of(const persistent& made) { return of(made).buffers; }

#ifdef TOPOMP_CHECKED
inline std::string which_start(const prepared& mine) {
    return " by its start number " + std::to_string(mine.compared.starts);
}
inline std::string on_this_rank(const prepared& mine) {
    return " (on rank " + std::to_string(mine.compared.rank) + ')';
}
#else // where these are not known
inline const char* which_start(const prepared&) { return ""; }
inline const char* on_this_rank(const prepared&) { return ""; }
#endif

[[gnu::cold]] inline void refuse_end(const prepared& mine, const char* member) {
    throw usage_error(mine.call, std::string{"topo::persistent::"} + member,
                      std::string{"it is active"} + which_start(mine) + ": wait for it before" +
                          on_this_rank(mine));
}

/// What the calling rank can tell by itself. Local
inline void require_startable(prepared& mine) {
    if (mine.is_active)
        throw usage_error(mine.call, "topo::persistent::start",
                          std::string{"it is active already"} + which_start(mine) +
                              ": wait for it before it is started again");
    mine.buffers.require_unmoved();
    if (!mine.replaces_running && mine.running != nullptr && !mine.running->is_idle())
        throw usage_error(mine.call, "topo::persistent::start",
                          "its last start has failed, and messages of it are under way: make another one");
}

#ifdef TOPOMP_CHECKED
/// Compares along the tree of the hierarchy, as `compare_among`. A rank with an error of its own waits for
/// the others as long as `seconds_of_checks`: they may have no more to call, and then it throws alone.
[[gnu::cold]] inline void compare_start(const hierarchy& levels, const comparison& start, failure mine) {
    if (mine.what == nullptr) return compare_among(levels, start, {});
    context& ranks = context::of(levels);
    const auto lowest = [&ranks, alone = mine.what](std::int64_t* values, std::size_t count) {
        const auto end = deadline::after(seconds_of_checks());
        const auto kept = std::make_shared<std::vector<std::int64_t>>(values, values + count);
        auto& pool = ranks.pool<all_reduce_operation>();
        in_flight& others = pool.others();
        const in_flight::turn now{others};
        const auto begin = [&](all_reduce_operation& op) {
            op.start(ranks, tree_plan_of<binomial>, kept->data(), {kept->data(), count, MPI_INT64_T},
                     {MPI_MIN, true});
            op.keep(kept);
        };
        std::unique_ptr<operation> running = take_started(pool, begin);
        while (!others.test(*running)) {
            if (end.has_passed()) {
                give_up(std::move(running), others.left);
                std::rethrow_exception(alone);
            }
            yield_core();
        }
        give_back_to_pool<all_reduce_operation>(&pool, std::move(running));
        std::copy(kept->begin(), kept->end(), values);
    };
    start.among(ranks.private_comm(), std::move(mine), lowest);
}

[[gnu::cold]] TOPOMP_INLINE void compared_ranks::are_of(const hierarchy& levels) {
    of = &levels;
    compare = [](const void* whole, const comparison& start, failure mine) {
        compare_start(*static_cast<const hierarchy*>(whole), start, std::move(mine));
    };
    rank = levels.whole_rank();
}

/// Before anything is sent all ranks throw, if one may not start it, has started it more or less often than
/// others, or starts or calls something else.
[[gnu::cold]] inline void check_start(prepared& mine) {
    failure wrong;
    try {
        require_startable(mine);
    } catch (...) {
        wrong = failure::of_exception();
        wrong.name_rank(mine.compared.rank);
    }
    comparison start{mine.call};
    start.add("call", "topo::persistent::start of " + mine.call);
    start.add("start", mine.compared.starts, "number " + std::to_string(mine.compared.starts + 1));
    mine.compared.compare(mine.compared.of, start, std::move(wrong));
    ++mine.compared.starts;
}
#else
inline void check_start(prepared& mine) { require_startable(mine); }
#endif

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
    if constexpr (detail::is_checked) detail::refuse_end(*left, member);
}

TOPOMP_INLINE void persistent::start() {
    detail::prepared& mine = open("start");
    const detail::in_flight::turn alone{mine.among};
    detail::check_start(mine);
    mine.start();
    mine.is_active = true;
    // A look for what other ranks have written would take as long as the start.
    if (mine.is_whole_start) return mine.among.add(*mine.running);
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
    mine.buffers.require_unmoved_here();
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
    if (active()) detail::refuse_end(*made_, "free");
    made_.reset();
}

} // namespace topo
