// SPDX-License-Identifier: BSL-1.0
/// @file
/// The calling rank's own block among all.
#pragma once

#include "intercept.hpp"
#include "kept.hpp"
#include <topomp/algorithm/packed.hpp>
#include <topomp/collective/block_arguments.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <string_view>

namespace topo::preload {

inline bool is_number(int count) { return count >= 0; }

/// Puts the calling rank's block into its place, where it is not already.
/// @throws argument_error if it has another length
inline void place_own(std::string_view call, const void* mine, int count, MPI_Datatype type,
                      const message& place) {
    if (mine == MPI_IN_PLACE) return;
    const message own = message_of(mine, count, type);
    detail::require_own_size(call, own, place);
    detail::copy_block(own, place, kept_arrays::of_thread().temporary);
}

} // namespace topo::preload
