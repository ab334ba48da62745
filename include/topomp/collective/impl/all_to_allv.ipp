// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void all_to_allv(const hierarchy& levels, const blocks& source, const blocks& result,
                               const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, "topo::all_to_allv", {source.data, result.data});
    context& ranks = context::of(levels);
    if (chosen.uses == algorithm::flat)
        return flat_all_to_allv(ranks, source, result, flat_limits{ranks.private_comm()});
    run(ranks.pool<all_to_all_pairwise>(),
        [&](all_to_all_pairwise& op) { op.start(ranks, ranks.order(), source, result); });
}

TOPOMP_INLINE void require_exchange(const hierarchy& levels, const blocks& source, const blocks& result) {
    constexpr auto call = "topo::all_to_allv";
    for (const blocks* each : {&source, &result}) {
        require_counts(call, *each, levels);
        require_blocks(call, *each, levels);
    }
    const int rank = levels.whole().rank();
    require_own_bytes(call, source.count_of(rank) * size_of(source.type),
                      result.count_of(rank) * size_of(result.type));
}

TOPOMP_INLINE void compare_pairs([[maybe_unused]] const hierarchy& levels,
                                 [[maybe_unused]] const blocks& source,
                                 [[maybe_unused]] const blocks& result) {
    if constexpr (is_checked) {
        std::vector<std::size_t> sent, coming(result.counts.size());
        for (const std::size_t count : source.counts)
            sent.push_back(count * size_of(source.type));
        mpi::check(MPI_Alltoall(sent.data(), 1, mpi::size_type(), coming.data(), 1, mpi::size_type(),
                                context::of(levels).private_comm()),
                   "MPI_Alltoall", "sizes of blocks");
        check_on_all_ranks(levels, [&] {
            for (std::size_t rank = 0; rank < coming.size(); ++rank)
                if (const std::size_t room = result.counts[rank] * size_of(result.type); coming[rank] != room)
                    throw argument_error("topo::all_to_allv", "result",
                                         "rank " + std::to_string(rank) + " sends " +
                                             number_of(coming[rank], "byte") + ", its count stands for " +
                                             std::to_string(room));
        });
    }
}

} // namespace topo::detail
