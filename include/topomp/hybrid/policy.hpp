// SPDX-License-Identifier: BSL-1.0
/// @file
/// How the verbs whose results live once per node go about it.
#pragma once

#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

namespace topo::hybrid {

/// Who of a node sends and receives over the network.
enum class carriers {
    best,  ///< by verb and length
    roots, ///< one rank: the node's first, or where data enters or leaves through a rank, that rank
    lanes  ///< as many as the smallest node has ranks, each a part
};

/// How the operands of a node's ranks are combined.
enum class combining {
    best,     ///< by length
    by_mpi,   ///< by `MPI_Reduce` among them: paper 2's method 1
    by_root,  ///< by the node's first rank, out of everybody's memory: its method 2
    by_slices ///< each rank combines a part of the message, out of everybody's memory
};

/// How the ranks of a node wait for each other: paper 2's figure 16, its yellow and red points.
enum class meeting {
    signals, ///< counters in shared memory; who need not wait does not
    barrier  ///< `MPI_Barrier` among them
};

/// How a hybrid verb moves data. `hybrid::broadcast(tree, field, 0, {.across = hybrid::carriers::lanes})`
/// @tparam Between the policy of the ordinary verb with which the carriers of all nodes exchange what they
/// have
template <topo::policy Between = automatic>
struct policy {
    carriers across = carriers::best;
    combining inside = combining::best;
    meeting sync = meeting::signals;
};

} // namespace topo::hybrid
