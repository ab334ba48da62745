// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/flat_all_to_allv.hpp>
#include <topomp/collective/engines/k_ary_bruck.hpp>
#include <topomp/collective/engines/node_aggregated.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/collective/engines/shared_all_to_all.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

template <algorithm Only>
void all_to_allv(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, "topo::all_to_allv", {source.data, result.data});
    start_by_plan<Only>(all_to_allv_call{levels, context::of(levels), source, result}, chosen, to_the_end{});
}

TOPOMP_INLINE void require_exchange(const hierarchy& levels, const blocks& source, const blocks& result) {
    constexpr auto call = "topo::all_to_allv";
    require_apart(call, "result", result);
    const int rank = levels.whole_rank();
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
                                             number_of(coming[rank], "byte") + " to rank " +
                                             std::to_string(levels.whole_rank()) +
                                             ", whose count stands for " + std::to_string(room));
        });
    }
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_to_allv = forms_of<verb::all_to_allv>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const blocks&, const plan&)>(
        &all_to_allv<Only>);
});
#endif

} // namespace topo::detail
