// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a persistent collective keeps between its starts.
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/detail/watched_container.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// A collective that can be started again and again.
struct prepared {
    prepared(std::string by_call, in_flight& others) : call(std::move(by_call)), among(others) {}
    prepared(const prepared&) = delete;
    prepared& operator=(const prepared&) = delete;
    virtual ~prepared() {
        if (running != nullptr) give_up(std::move(running), among.left);
    }

    /// Readies `running`, which then only has to go on.
    virtual void start() = 0;
    /// It has been given up, and is not destroyed: lets go of hierarchies, whose communicators are freed
    /// then.
    virtual void let_go() noexcept {}

    std::string call; ///< that made it
    in_flight& among;
    std::unique_ptr<operation> running;
    bool is_active = false;
    bool replaces_running = false;          ///< `start` takes another operation if the last start has failed
    std::vector<watched_container> buffers; ///< in checked builds
};

} // namespace topo::detail
