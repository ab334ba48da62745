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

    template <class Operation, class Start>
    request operator()(operation_pool<Operation>& pool, Start start) const {
        auto running = pool.take();
        start(*running);
        request made;
        made.give_back_ = [](context& ranks, std::unique_ptr<operation> done) {
            ranks.pool<Operation>().give_back(
                std::unique_ptr<Operation>{static_cast<Operation*>(done.release())});
        };
        made.tree_ = levels;
        pool.others().add(*running);
        made.running_ = std::move(running);
        static_cast<void>(made.test()); // the first messages leave now
        return made;
    }
};

} // namespace detail
} // namespace topo
