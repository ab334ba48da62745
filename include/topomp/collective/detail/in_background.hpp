// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a non-blocking verb does with an engine.
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <memory>
#include <utility>

namespace topo {

namespace detail {

/// Starts operations and lets them be.
struct in_background {
    const hierarchy& tree;

    template <class Operation, class Start>
    request operator()(operation_pool<Operation>& pool, Start start) const {
        auto running = pool.take();
        start(*running);
        request result;
        result.give_back_ = [](team& ranks, std::unique_ptr<operation> done) {
            ranks.pool<Operation>().give_back(
                std::unique_ptr<Operation>{static_cast<Operation*>(done.release())});
        };
        result.tree_ = tree;
        pool.others().add(*running);
        result.running_ = std::move(running);
        static_cast<void>(result.test()); // the first messages leave now
        return result;
    }
};

} // namespace detail
} // namespace topo
