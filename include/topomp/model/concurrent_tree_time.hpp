// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long a message takes down a tree whose ranks send to all their children at the same time.
#pragma once

#include <topomp/core/detail/function_ref.hpp>
#include <topomp/model/message_cost.hpp>

namespace topo::model {

/// The seconds until all ranks of a tree have a message that rank `root` has, if each rank starts the
/// messages to all its children together when it has it, as with MPI_Isend. Of short messages the next starts
/// a gap after the one before. Long ones share the rank's link, so that all k of them arrive together, when
/// the link has carried all: k - 1 gaps later than one alone. `tree_time` is that of ranks that send one
/// message after the other. A reduction takes as long backwards, and its combining.
///
/// @param shortest the gap between messages without data: those with a greater gap share the link
/// @param combine seconds that a rank needs to combine the message of a child; 0 in a broadcast
/// @param children `children(rank, send)` calls `send(child, cost)` for each child of a rank in the order in
/// which it starts them @cost linear in the number of ranks
double concurrent_tree_time(
    int root, double shortest, double combine,
    topo::detail::function_ref<void(int rank,
                                    topo::detail::function_ref<void(int child, const message_cost&)> send)>
        children);

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/concurrent_tree_time.ipp>
#endif
