// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of gathers and scatters.
#pragma once

#include "counts.hpp"
#include "devices.hpp"
#include "kept.hpp"
#include "located.hpp"
#include "refused.hpp"
#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace topo::preload {

/// What a rank gives or gets, and on the root the blocks of all.
struct rooted {
    message mine; ///< `MPI_IN_PLACE` as data: in its place among the blocks
    blocks all;   ///< on the root
    bool is_root = false;

    /// The calling rank's block. @throws argument_error if it has another length than its place
    message own(const hierarchy& levels, std::string_view call) const {
        if (!is_root) return mine;
        const message place = all.block_of(levels.whole().rank());
        if (mine.data == MPI_IN_PLACE) return place;
        detail::require_own_size(call, mine, place);
        return mine;
    }
    /// As `any_on_device`.
    bool uses_device(MPI_Comm comm, const hierarchy& levels) const {
        return any_on_device(comm, levels,
                             {mine, is_root ? first_of(all, levels.whole().size()) : message{}});
    }
    /// Of each block, where all have one length.
    std::size_t bytes() const {
        return mine.data == MPI_IN_PLACE ? all.count * detail::size_of(all.type) : detail::bytes_of(mine);
    }
};

inline located located_count(const void* data, MPI_Count count, MPI_Datatype type) {
    return {data, static_cast<std::size_t>(std::max<MPI_Count>(count, 0)), type};
}

/// Elsewhere the arguments mean nothing, and must not be looked at.
inline located located_on_root(const hierarchy& levels, int root, const void* data, MPI_Count count,
                               MPI_Datatype type) {
    return located_count(data, levels.whole().rank() == root ? count : 0, type);
}

/// Whether the MPI accepts what the calling rank gives to the root or gets from it.
/// @param on_root whether it accepts the blocks of all ranks, and where the root's own lies; asked on the
/// root
template <class OnRoot>
bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, MPI_Count count, MPI_Datatype type,
                        OnRoot on_root) {
    const ranks here{comm};
    if (!here.has(root)) return false;
    const bool is_root = here.mine == root;
    if (mine == MPI_IN_PLACE ? !is_root : !accepts(mine, count, type)) return false;
    return !is_root || on_root(here);
}

/// The same where all blocks have one length.
inline bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, MPI_Count count, MPI_Datatype type,
                               const void* all, MPI_Count each, MPI_Datatype all_type) {
    return is_accepted_rooted(comm, root, mine, count, type, [&](const ranks& here) {
        return accepts(all, each, all_type) &&
               !own_place{mine, count, type, all, all_type, here.mine}.is_refused(each);
    });
}

/// The same where each has its own.
inline bool is_accepted_rooted(MPI_Comm comm, int root, const void* mine, MPI_Count count, MPI_Datatype type,
                               const void* all, number_list counts, number_list displacements,
                               MPI_Datatype all_type) {
    return is_accepted_rooted(comm, root, mine, count, type, [&](const ranks& here) {
        return accepts(all, counts, displacements, all_type, here.size) &&
               !own_place{mine, count, type, all, all_type, here.mine}.is_refused(counts, displacements);
    });
}

inline rooted equal_blocks(const hierarchy& levels, int root, const void* mine, MPI_Count count,
                           MPI_Datatype type, const void* all, MPI_Count each, MPI_Datatype all_type) {
    rooted result{mine == MPI_IN_PLACE ? message{MPI_IN_PLACE, 0, MPI_BYTE} : message_of(mine, count, type),
                  {},
                  levels.whole().rank() == root};
    if (result.is_root) result.all = {const_cast<void*>(all), all_type, static_cast<std::size_t>(each)};
    return result;
}

/// The same with a length for each block. Nothing more can be said before the root has told the others.
inline rooted unequal_blocks(const hierarchy& levels, int root, const void* mine, MPI_Count count,
                             MPI_Datatype type, const void* all, number_list counts,
                             number_list displacements, MPI_Datatype all_type) {
    rooted result = equal_blocks(levels, root, mine, count, type, all, 0, all_type);
    if (!result.is_root) return result;
    auto& kept = kept_arrays::of_thread().first;
    kept.set(counts, displacements, levels.whole().size());
    result.all.counts = kept.counts;
    result.all.positions = kept.positions;
    return result;
}

} // namespace topo::preload
