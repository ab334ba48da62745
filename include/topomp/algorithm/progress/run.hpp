// SPDX-License-Identifier: BSL-1.0
/// @file
/// An operation from its start to its end.
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>

#include <utility>

namespace topo::detail {

/// Starts an operation from the pool, waits for its end and returns it to the pool.
template <class Operation, class Start>
void run(operation_pool<Operation>& pool, Start start) {
    const in_flight::turn alone{pool.others()};
    auto running = pool.take();
    start(*running);
    pool.others().wait(*running);
    pool.give_back(std::move(running));
}

/// Runs an engine for a blocking verb. `in_background` does so for a nonblocking one.
struct to_the_end {
    using result = void;
    static constexpr bool waits = true;

    template <class Operation, class Start>
    void operator()(operation_pool<Operation>& pool, Start start) const {
        run(pool, start);
    }
};

} // namespace topo::detail
