// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/detail/prepared_posts.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/config.hpp>

#include <memory>

namespace topo::detail {

struct prepared_posts final : prepared {
    prepared_posts(const hierarchy& on, const void* input, const message& result, MPI_Op op,
                   const char* by_call)
        : prepared(by_call, in_flight::of(on)), levels(on) {
        running = std::make_unique<posted_all_reduce>(arena::of(levels), input, result, op);
    }
    void start() override { static_cast<posted_all_reduce&>(*running).start(); }

    hierarchy levels; ///< which keeps its arena
};

TOPOMP_INLINE bool take_posts(const hierarchy& levels, const message& operands) {
    const int ranks = levels.whole().size();
    return ranks <= static_cast<int>(posted_all_reduce::most_ranks) &&
           posted_all_reduce::takes(operands, ranks) && arena::of(levels).comm().size() == ranks;
}

TOPOMP_INLINE std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const void* input,
                                                      const message& result, MPI_Op op, const char* call) {
    try {
        return std::make_unique<prepared_posts>(levels, input, result, op, call);
    } catch (const system_error&) {
        return nullptr;
    }
}

} // namespace topo::detail
