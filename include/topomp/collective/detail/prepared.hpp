// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a persistent collective keeps between its starts.
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/detail/watched_buffers.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace topo::detail {

class comparison;
struct failure;

/// The ranks that start a collective, in a checked build, in which they compare each start.
struct compared_ranks {
    /// Of a collective of a hierarchy, which lives as long.
    void are_of(const hierarchy& levels);

    const void* of = nullptr;
    /// @collective over the ranks @throws as `comparison::among`
    void (*compare)(const void* of, const comparison& start, failure mine) = nullptr;
    int rank = 0;
    std::size_t starts = 0; ///< so far
};
/// The same of a build without checks.
struct no_compared_ranks {
    static void are_of(const hierarchy&) noexcept {}
};
using ranks_of_start = std::conditional_t<is_checked, compared_ranks, no_compared_ranks>;

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
    bool replaces_running = false; ///< `start` takes another operation if the last start has failed
    bool is_whole_start = false;   ///< `persistent::start` goes no further than `start`
    [[no_unique_address]] buffers_of_call buffers; ///< in checked builds
    [[no_unique_address]] ranks_of_start compared; ///< in checked builds; not asked of a part of another one
};

} // namespace topo::detail
