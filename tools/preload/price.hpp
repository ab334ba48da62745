// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long a hierarchy takes to build.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace topo::preload {

/// Expects of a hierarchy what those took that the process built before; before the first one, what simulated
/// ranks took. Any thread may call it.
class hierarchy_price {
public:
    using duration = std::chrono::nanoseconds;

    /// How long the building of a hierarchy of so many ranks is expected to take. Local
    duration expected(int ranks) const noexcept;

    /// A hierarchy of so many ranks was built.
    void add(int ranks, duration took) noexcept;

private:
    std::atomic<std::int64_t> took_{0};     ///< nanoseconds, of all that were built
    std::atomic<std::int64_t> modelled_{0}; ///< what the model says of these
};

} // namespace topo::preload
