// SPDX-License-Identifier: BSL-1.0
/// @file
/// Buffers in memory of accelerators: a call with one is the MPI's own.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <initializer_list>

namespace topo::preload {

/// The first of the blocks that is not empty, of which the others are neighbours in memory.
message first_of(const blocks& all, int ranks);

/// Whether any rank of a call uses memory that the processor cannot read. MPI lets one rank do that and
/// others not, and they all have to go the same way.
/// @param buffers what the calling rank gives and gets; nothing, and `MPI_IN_PLACE`, count as the processor's
/// @collective over a communicator for which `may_use_devices`, local over others
/// Where it does, that is noted as the reason why the call is the MPI's.
/// @cost there an all-reduce of an int, and what the runtimes take to say whose the addresses are
bool any_on_device(MPI_Comm comm, const hierarchy& levels, std::initializer_list<message> buffers);

} // namespace topo::preload
