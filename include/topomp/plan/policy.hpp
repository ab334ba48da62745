// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm at which level, as types.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/two_tree.hpp>
#include <topomp/hardware/kind.hpp>

#include <cstddef>

namespace topo {

/// Between the parts of an object of this kind, data moves by this algorithm: `on<kind::machine, linear>` is
/// about what happens inside a node, `on<kind::cluster, binomial>` about what happens between nodes that no
/// switch joins.
template <kind Kind, class Algorithm>
struct on {};

/// Everywhere else, data moves by this algorithm.
template <class Algorithm>
struct otherwise {};

/// An algorithm for each level: rules `on<kind, algorithm>`, of which the first that fits a level counts, and
/// at the end `otherwise<algorithm>`. Algorithms are shapes, and for broadcast also `split_binary` and
/// `two_tree`.
template <class... Rules>
struct per_level {};

/// A policy whose messages are cut into segments of so many bytes, so that all levels work at the same time.
template <std::size_t Bytes, class Policy>
struct segmented {
    static_assert(Bytes > 0, "topo::segmented<Bytes, Policy>: a segment needs at least one byte");
};

/// Reductions and scans whose floating-point results depend on the number of ranks, the root and the shape,
/// and not on the machine nor on which rank sits where: one tree over the ranks' numbers, as if all were
/// equally far from each other. @tparam Policy a shape, or one in segments
template <class Policy = binomial>
struct placement_independent {};

/// From level to level (paper 1, section 7.2), in each by an algorithm that knows nothing of the others:
/// rules as in `per_level`, and `within`. An algorithm is any type with the static functions of
/// algorithm/level_algorithm.hpp.
template <class... Rules>
struct hierarchical {};

/// In `hierarchical`: among all ranks of an object of this kind data moves by this algorithm, whatever is
/// inside.
template <kind Kind, class Algorithm>
struct within {};

/// A broadcast in the LogP model that knows nodes: one tree over all ranks, in which not only one rank of
/// each node sends to other nodes. A rank that has the message sends it to one rank of its own node, then to
/// nodes without it, then to the rest of its node. For short messages and commutative operations. @tparam
/// Between, Inside how long a message is on its way to another node, and inside one, in the time between two
/// that one rank sends @tparam CrossesNodes whether ranks that have nobody left to send to in their own node
/// send to ranks of other nodes, for the shortest messages
/// @cost every rank works out the whole tree for each new root, in p log p
template <int Between, int Inside, bool CrossesNodes = false>
struct node_aware_postal {
    static_assert(
        Between >= Inside && Inside >= 1,
        "topo::node_aware_postal<Between, Inside>: a message cannot arrive before it is sent, nor earlier "
        "at another node than inside one");
};

/// A tree among the nodes, whatever joins these, and one inside each, whatever is inside: the link of no node
/// carries what only passes by, as where each switch and each node has a leader.
/// @tparam Between, Inside shapes; for broadcast `Between` may be `split_binary` or `two_tree`, whose
/// halves then go through different ranks of each node
template <class Between, class Inside = below_single_child<in_order_binary>>
struct two_levels {};

/// A part of each message along each lane, the ranks with the same number in their nodes, so that as many
/// ranks as the smallest node has use the network at a time. Inside a node each lane's rank hands its part to
/// the others, or combines theirs.
/// @tparam Along shape of the tree among the nodes in each lane @tparam Inside shape of the trees in each
/// node
template <class Along = binomial, class Inside = linear>
struct lanes {};

struct mpi_calls;

/// The MPI's own collective on each level's communicator.
using native = hierarchical<otherwise<mpi_calls>>;

/// The MPI's own collective on the whole communicator, once: what not using topomp does.
struct flat {};

/// Around a ring of all ranks in which neighbours are near.
struct ring {};

/// Bruck's steps over all ranks, each with somebody twice as far away.
struct bruck {};

/// Every rank with every other, a few at a time.
struct pairwise {};

/// A signal to somebody twice as far away in each step, over all ranks.
struct dissemination {};

/// Through the memory that the ranks of a node have in common, see algorithm/shared.hpp: an algorithm for
/// `hierarchical`, and by itself a policy for gather, scatter, all_gather and all_to_all, where all ranks are
/// in one node; by the MPI's own where they are not.
struct shared;

/// Recursive doubling with up to Radix ranks in a group: in each round a rank exchanges everything that it
/// has or has reduced with Radix - 1 others, Radix times as far away as in the round before. In a broadcast
/// the root first scatters parts. If all nodes hold the same number of ranks, the sequence of radices follows
/// the levels of the hierarchy. Few rounds of several short messages are faster than many rounds where the
/// latency of a message is longer than the time to send one.
/// @see Ruefenacht, Bull, Booth: Generalisation of recursive doubling for AllReduce, Parallel Computing 69
/// (2017), who call it recursive multiplying
template <int Radix>
struct k_ary_recursive_doubling {
    static_assert(Radix >= 2, "topo::k_ary_recursive_doubling<Radix>: at least two ranks meet in a round");
};

/// In each of log2 p rounds with a rank twice as far away: everything that a rank has or has reduced.
using recursive_doubling = k_ary_recursive_doubling<2>;

/// Recursive halving with up to Radix ranks in a group: in each round a rank divides what it still reduces
/// into Radix parts, and exchanges these with Radix - 1 others.
template <int Radix>
struct k_ary_recursive_halving {
    static_assert(Radix >= 2, "topo::k_ary_recursive_halving<Radix>: at least two ranks meet in a round");
};

/// In each of log2 p rounds with a rank twice as far away: half of what a rank still reduces.
using recursive_halving = k_ary_recursive_halving<2>;

/// `k_ary_recursive_halving`, and the way back to all ranks or to a root. @tparam WholeBytes in an
/// all-reduce, parts as short as this are not split any more but go whole to everybody whom a round brings
/// together, which saves the way back
template <int Radix, std::size_t WholeBytes = 0>
struct k_ary_rabenseifner {
    static_assert(Radix >= 2, "topo::k_ary_rabenseifner<Radix>: at least two ranks meet in a round");
};

/// Rabenseifner's: `recursive_halving`, and the way back to all ranks or to a root.
using rabenseifner = k_ary_rabenseifner<2>;

/// Chooses among the policies in policy/detail/tuned.hpp by verb, machine and bytes: the default.
struct automatic {};

} // namespace topo
