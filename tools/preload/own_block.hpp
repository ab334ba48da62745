// SPDX-License-Identifier: BSL-1.0
/// @file
/// The calling rank's own block among all.
#pragma once

#include "intercept.hpp"
#include "kept.hpp"
#include "refused.hpp"
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <string_view>

namespace topo::preload {

/// Whether the MPI accepts what the calling rank gives to all and the blocks that it gets from all, of one
/// length.
inline bool are_accepted_blocks(const void* mine, MPI_Count count, MPI_Datatype type, const void* all,
                                MPI_Count each, MPI_Datatype all_type, MPI_Comm comm) {
    return accepts(all, each, all_type) && (mine == MPI_IN_PLACE || accepts(mine, count, type)) &&
           !own_place{mine, count, type, all, all_type, ranks{comm}.mine}.is_refused(each);
}

/// The same of blocks for each rank and from each rank.
inline bool are_accepted_exchanges(const void* from, MPI_Count from_each, MPI_Datatype from_type,
                                   const void* to, MPI_Count to_each, MPI_Datatype to_type) {
    return accepts(to, to_each, to_type) && (from == MPI_IN_PLACE || accepts(from, from_each, from_type)) &&
           !(refuses_own_blocks() && from == to && from_each == to_each && from_type == to_type &&
             to_each > 0);
}

/// The same of blocks of different lengths: what the calling rank gives to all.
inline bool are_accepted_blocks(const void* mine, MPI_Count count, MPI_Datatype type, const void* all,
                                number_list counts, number_list displacements, MPI_Datatype all_type,
                                MPI_Comm comm) {
    const ranks here{comm};
    return accepts(all, counts, displacements, all_type, here.size) &&
           (mine == MPI_IN_PLACE || accepts(mine, count, type)) &&
           !own_place{mine, count, type, all, all_type, here.mine}.is_refused(counts, displacements);
}

/// And of such blocks for each rank and from each rank.
inline bool are_accepted_exchanges(const void* from, number_list from_counts, number_list from_displacements,
                                   MPI_Datatype from_type, const void* to, number_list to_counts,
                                   number_list to_displacements, MPI_Datatype to_type, MPI_Comm comm) {
    if (refuses_own_blocks() && from == to && from_counts.is_at(to_counts) && from_type == to_type)
        return false;
    const int size = ranks{comm}.size;
    return accepts(to, to_counts, to_displacements, to_type, size) &&
           (from == MPI_IN_PLACE || accepts(from, from_counts, from_displacements, from_type, size));
}

/// Puts the calling rank's block into its place, where it is not already.
/// @throws argument_error if it has another length
inline void place_own(std::string_view call, const void* mine, MPI_Count count, MPI_Datatype type,
                      const message& place) {
    if (mine == MPI_IN_PLACE) return;
    const message own = message_of(mine, count, type);
    detail::require_own_size(call, own, place);
    detail::copy_block(own, place, kept_arrays::of_thread().temporary);
}

} // namespace topo::preload
