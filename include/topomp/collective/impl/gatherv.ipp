// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/gatherv_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void
gather_unknown(const hierarchy& levels, const message& mine,
               function_ref<blocks(std::span<const int>, std::span<const std::size_t>)> result_for, int root,
               const plan& chosen) {
    context& ranks = context::of(levels);
    if (chosen.uses == algorithm::tree)
        return run(ranks.pool<gather_operation>(), [&](gather_operation& op) {
            op.start_unequal(ranks, chosen.tree, mine, result_for, root);
        });
    const std::size_t bytes = bytes_of(mine);
    std::vector<std::size_t> sizes(
        ranks.rank() == root ? static_cast<std::size_t>(ranks.private_comm().size()) : 0);
    mpi::check(MPI_Gather(&bytes, 1, mpi::size_type(), sizes.data(), 1, mpi::size_type(), root,
                          ranks.private_comm()),
               "MPI_Gather", "sizes of blocks");
    std::vector<int> all_ranks(sizes.size());
    std::iota(all_ranks.begin(), all_ranks.end(), 0);
    const blocks result = ranks.rank() == root ? result_for(all_ranks, sizes) : blocks{};
    flat_gatherv(ranks, mine, result, root, flat_limits{ranks.private_comm()});
}

TOPOMP_INLINE void gatherv(const hierarchy& levels, const message& mine, const blocks& result, int root,
                           const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::gatherv", {mine.data, result.data});
    context& ranks = context::of(levels);
    if (chosen.uses == algorithm::flat)
        return flat_gatherv(ranks, mine, result, root, flat_limits{ranks.private_comm()});
    run(ranks.pool<gather_operation>(), [&](gather_operation& op) {
        op.start_expected("topo::gatherv", ranks, chosen.tree, mine, result, root);
    });
}

} // namespace topo::detail
