// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a program called, for the table at its end.
#pragma once

#include "settings.hpp"
#include <topomp/policy/way.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace topo::preload {

/// Counts intercepted calls. One object.
class report {
public:
    static report& self();

    bool is_wanted() const noexcept { return is_wanted_; }
    void start() noexcept { is_wanted_ = true; }

    /// @param bytes of the calling rank's own data @param seconds that the call took
    void add(detail::verb what, std::uint64_t bytes, double seconds, bool is_ours) noexcept;

    /// A line for each verb that was called, on stderr of rank 0. @collective over MPI_COMM_WORLD
    void print() const;

private:
    struct line {
        std::atomic<std::uint64_t> calls{0}, ours{0}, bytes{0}, nanoseconds{0};
    };

    bool is_wanted_ = false;
    std::array<line, number_of_verbs> lines_;
};

} // namespace topo::preload
