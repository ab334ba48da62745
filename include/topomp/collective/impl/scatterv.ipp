// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/scatterv_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <concepts>
#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void scatter_unknown(const hierarchy& levels, const blocks& source,
                                   function_ref<message(std::size_t)> mine_for, int root,
                                   const plan& chosen) {
    context& ranks = context::of(levels);
    if (chosen.uses == algorithm::tree)
        return run(ranks.pool<scatter_operation>(), [&](scatter_operation& op) {
            op.start_unequal(ranks, chosen.tree, source, mine_for, root);
        });
    std::vector<std::size_t> sizes;
    if (ranks.rank() == root) {
        const type_layout layout{source.type};
        for (const std::size_t count : source.counts)
            sizes.push_back(count * layout.size);
    }
    std::size_t bytes = 0;
    mpi::check(MPI_Scatter(sizes.data(), 1, mpi::size_type(), &bytes, 1, mpi::size_type(), root,
                           ranks.private_comm()),
               "MPI_Scatter", "sizes of blocks");
    flat_scatterv(ranks, source, mine_for(bytes), root, flat_limits{ranks.private_comm()});
}

TOPOMP_INLINE void scatterv(const hierarchy& levels, const blocks& source, const message& mine, int root,
                            const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::scatterv", {mine.data, source.data});
    context& ranks = context::of(levels);
    if (chosen.uses == algorithm::flat)
        return flat_scatterv(ranks, source, mine, root, flat_limits{ranks.private_comm()});
    run(ranks.pool<scatter_operation>(), [&](scatter_operation& op) {
        op.start_expected("topo::scatterv", ranks, chosen.tree, source, mine, root);
    });
}

} // namespace topo::detail
