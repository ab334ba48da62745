// SPDX-License-Identifier: BSL-1.0
/// @file
/// Runs an engine for a nonblocking verb.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <memory>
#include <utility>

namespace topo {

namespace detail {

/// Starts operations without waiting for them.
struct in_background {
    using result = request;
    static constexpr bool waits = false;

    const hierarchy& levels;
    std::shared_ptr<const void> kept{}; ///< what the operation refers to

    template <class Operation, class Start>
    request operator()(operation_pool<Operation>& pool, Start start) const {
        const in_flight::turn alone{pool.others()};
        auto running = take_started(pool, start);
        if (kept) running->keep(kept);
        request made;
        made.give_back_ = &give_back_to_pool<Operation>;
        made.pool_ = &pool;
        made.among_ = &pool.others();
        made.levels_ = levels;
        pool.others().add(*running);
        made.running_ = owned<operation>::of(std::move(running));
        static_cast<void>(made.test()); // the first messages leave now
        return made;
    }

    /// The operation of a request that becomes a part of another operation, which goes on with it from now
    /// on; null if it is complete. `test` of the request ends it.
    static operation* part_of(const request& made) {
        if (made.running_ != nullptr) made.among_->remove(*made.running_);
        return made.running_.get();
    }
    /// What has become a part has been given up.
    static void let_go(request& made) noexcept { made.levels_.reset(); }

    /// A request of an operation that belongs to no hierarchy. If it fails at once, test or wait says so, as
    /// on other ranks. @param alive keeps what it uses
    static request of(in_flight& others, std::unique_ptr<operation> running,
                      std::shared_ptr<const void> alive) {
        const in_flight::turn alone{others};
        request made;
        made.give_back_ = [](void*, std::unique_ptr<operation>) {};
        made.among_ = &others;
        made.alive_ = std::move(alive);
        others.add(*running);
        made.running_ = owned<operation>::of(std::move(running));
        if (in_flight::has_ended_well(*made.running_)) made.finish();
        return made;
    }
};

} // namespace detail
} // namespace topo
