// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether ranks have to take turns on cores.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <mpi.h>

#include <memory>

namespace topo::detail {

/// What all ranks of a hierarchy know about their nodes, asked once.
struct crowding {
    bool shares_memory = false; ///< whether on some node several ranks have memory in common
    bool is_crowded = false;    ///< whether on some node there are more of them than cores

    /// @collective over the whole the first time @cost then that of `arena::of`, and an all-reduce
    static const crowding& of(const hierarchy& tree) {
        return tree.attachment<crowding>([&] {
            const arena& node = arena::of(tree);
            const int mine[] = {node.comm().size() > 1 ? 1 : 0, node.is_crowded() ? 1 : 0};
            int all[2] = {};
            mpi::allreduce(mine, all, 2, MPI_INT, MPI_MAX, tree.whole(), "nodes of ranks");
            return std::make_shared<crowding>(crowding{all[0] != 0, all[1] != 0});
        });
    }
};

} // namespace topo::detail
