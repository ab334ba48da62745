// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/oversubscription.hpp>

#include <boost/mpi/config.hpp>

#include <memory>

namespace topo::detail {

TOPOMP_INLINE const oversubscription& oversubscription::of(const hierarchy& levels) {
    return levels.attachment<oversubscription>([&] {
        const arena& node = arena::of(levels);
        const int mine[] = {node.comm().size() > 1 ? 1 : 0, node.is_oversubscribed() ? 1 : 0};
        int all[2] = {};
        mpi::allreduce(mine, all, 2, MPI_INT, MPI_MAX, levels.whole(), "nodes of ranks");
        return std::make_shared<oversubscription>(oversubscription{all[0] != 0, all[1] != 0});
    });
}

} // namespace topo::detail
