// SPDX-License-Identifier: BSL-1.0
/// @file
/// Algorithms of the verbs whose results exist once per node.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <type_traits>

namespace topo::hybrid {

/// Which ranks of a node send and receive over the network.
enum class carriers {
    best,  ///< by verb and length
    roots, ///< one rank: the node's first, or where data enters or leaves through a rank, that rank
    lanes  ///< as many as the smallest node has ranks, each a stripe
};

/// How the operands of a node's ranks are combined.
enum class combining {
    best,     ///< by length
    by_mpi,   ///< by `MPI_Reduce` among them: paper 2's method 1
    by_root,  ///< by the node's first rank, out of all ranks' memory: its method 2
    by_slices ///< each rank combines a stripe of the message, out of all ranks' memory
};

/// How the ranks of a node wait for each other: paper 2's figure 16, its yellow and red points.
enum class meeting {
    signals, ///< counters in shared memory; a rank waits only where it must
    barrier  ///< `MPI_Barrier` among them
};

/// How a hybrid verb moves data. `hybrid::broadcast(levels, field, 0, {.across = hybrid::carriers::lanes})`
/// @tparam Between the policy of the ordinary verb for the exchange among the carriers of all nodes
template <topo::policy Between = automatic>
struct policy {
    carriers across = carriers::best;   ///< which ranks send between nodes
    combining inside = combining::best; ///< which ranks of a node combine operands
    meeting sync = meeting::signals;    ///< how the ranks of a node wait for each other
};

} // namespace topo::hybrid

/// What refuses an ordinary policy in a hybrid verb.
#define TOPOMP_NEEDS_HYBRID_POLICY                                                                           \
    TOPOMP_REFUSED("topo: a hybrid verb takes a hybrid policy, whose argument is the policy between nodes: " \
                   "topo::hybrid::policy<topo::binomial>{} in the place of topo::binomial{}")

namespace topo::detail {

/// Whether the last argument is an ordinary policy, which no hybrid verb takes.
template <class First, class... Rest>
inline constexpr bool ends_with_policy = ends_with_policy<Rest...>;
template <class Last>
inline constexpr bool ends_with_policy<Last> = std::is_empty_v<Last>&& policy<Last>;

} // namespace topo::detail

/// @cond Doxygen does not find what this specializes, which is internal.
template <class Between>
inline constexpr bool topo::detail::is_counted_argument<topo::hybrid::policy<Between>> = false;
/// @endcond
