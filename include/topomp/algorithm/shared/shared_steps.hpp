// SPDX-License-Identifier: BSL-1.0
/// @file
/// Broadcasts and synchronisation in the shared memory of a level.
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

/// A message as plain bytes: in place, or a private copy.
std::byte* bytes_to_show(shared_room& room, const message& what, const type_layout& layout);

void shared_broadcast(shared_room& room, copies copying, const message& what, int root);

/// From how many ranks' cache lines a rank collects signals. In a star the root reads the lines of all ranks,
/// one after the other; in a tree a rank reads four on each level, so the arrival of 64 ranks takes 12 lines
/// instead of 63.
int shared_fan(const shared_room& room);

/// Rank 0 returns after all ranks have arrived. The others return at once.
void shared_arrival(shared_room& room);

/// All ranks return after rank 0 has arrived.
void shared_release(shared_room& room);

/// No rank returns before all have arrived: few ranks read the signals of all ranks, many use a tree.
void shared_barrier(shared_room& room);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_steps.ipp>
#endif
