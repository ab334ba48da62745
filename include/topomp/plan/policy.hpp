// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm at which level, as types.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/two_tree.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/detail/algorithm.hpp>

#include <cstddef>

namespace topo {

namespace detail {

/// The base of a policy that is an algorithm, or one with numbers: `radix` and `whole_bytes` of a plan.
template <algorithm Uses, int Radix = 2, std::size_t WholeBytes = 0>
struct policy_of {};

} // namespace detail

/// Among the members of an object of this kind, data moves by this algorithm: `on<kind::machine, linear>`
/// applies inside a node, `on<kind::cluster, binomial>` between nodes that no switch joins.
template <kind Kind, class Algorithm>
struct on {};

/// Everywhere else, data moves by this algorithm.
template <class Algorithm>
struct otherwise {};

/// An algorithm for each level: rules `on<kind, algorithm>`, of which the first that fits a level applies,
/// and at the end `otherwise<algorithm>`. Algorithms are shapes, and for broadcast also `split_binary` and
/// `two_tree`.
template <class... Rules>
struct per_level {};

/// A policy whose messages are cut into segments of so many bytes, so that all levels work at the same time.
template <std::size_t Bytes, class Policy>
struct segmented {
    static_assert(Bytes > 0, "topo::segmented<Bytes, Policy>: a segment needs at least one byte");
};

/// Reductions and scans whose floating-point results depend on the number of ranks, the root and the shape,
/// but not on the machine nor on the placement: one tree over the ranks' numbers, without regard to the
/// hierarchy. @tparam Policy a shape, or one in segments
template <class Policy = binomial>
struct placement_independent {};

/// From level to level (paper 1, section 7.2), in each by an algorithm that is independent of the other
/// levels: rules as in `per_level`, and `within`. An algorithm is any type with the static functions of
/// algorithm/level_algorithm.hpp.
template <class... Rules>
struct hierarchical : detail::policy_of<detail::algorithm::hierarchical> {};

/// In `hierarchical`: among all ranks of an object of this kind data moves by this algorithm, whatever is
/// inside. The levels around these objects are one, among the first ranks of the objects, if only `otherwise`
/// has an answer for them.
template <kind Kind, class Algorithm>
struct within {};

/// A node-aware postal broadcast: one tree over all ranks, in which several ranks of a node may send to other
/// nodes. A rank that has the message sends it to one rank of its own node, then to nodes without it, then to
/// the rest of its node. For short messages and commutative operations. @tparam Between, Inside how long a
/// message is on its way to another node, and inside one, in the time between two that one rank sends @tparam
/// CrossesNodes whether ranks whose node is complete send to ranks of other nodes; for the shortest messages
/// @cost every rank computes the whole tree for each new root, in O(p log p)
template <int Between, int Inside, bool CrossesNodes = false>
struct node_aware_postal {
    static_assert(
        Between >= Inside && Inside >= 1,
        "topo::node_aware_postal<Between, Inside>: a message cannot arrive before it is sent, nor earlier "
        "at another node than inside one");
};

/// A tree among the nodes, regardless of switches, and a tree inside each node, regardless of its levels. No
/// node's link carries messages in transit, as it would with a leader for each switch and each node.
/// @tparam Between, Inside shapes; for broadcast `Between` may be `split_binary` or `two_tree`; the two
/// halves of the message then go through different ranks of each node
template <class Between, class Inside = below_single_child<in_order_binary>>
struct two_levels {};

/// One stripe of each message along each lane. A lane consists of the ranks with the same number in their
/// nodes, so as many ranks of a node use the network at a time as the smallest node has. Inside a node each
/// lane's rank distributes its stripe to the others, or combines theirs.
/// @tparam Along shape of the tree among the nodes in each lane @tparam Inside shape of the trees in each
/// node
template <class Along = binomial, class Inside = linear>
struct lanes {};

struct mpi_calls;

/// The MPI's own collective on each level's communicator.
using native = hierarchical<otherwise<mpi_calls>>;

/// One call of the MPI's own collective on the whole communicator, as without topomp.
struct flat : detail::policy_of<detail::algorithm::flat> {};

/// A ring over all ranks in hierarchy order, so that neighbours are near.
struct ring : detail::policy_of<detail::algorithm::ring> {};

/// Pairs of neighbours in hierarchy order: each rank exchanges with its left and its right neighbour in turn
/// what it received last, the blocks of a pair. In half as many steps as around a ring as many bytes.
/// @see J. Chen, Y. Zhang, L. Zhang and W. Yuan, 'Performance evaluation of allgather algorithms on terascale
/// Linux cluster with fast Ethernet' (2005)
struct neighbour_exchange : detail::policy_of<detail::algorithm::neighbour_exchange> {};

/// Bruck's algorithm over all ranks: the distance to the partner doubles in each step.
struct bruck : detail::policy_of<detail::algorithm::bruck> {};

/// Pairwise exchange: every rank with every other, a few at a time.
struct pairwise : detail::policy_of<detail::algorithm::pairwise> {};

/// Bruck's algorithm to base Radix over all ranks, for blocks of different lengths: a block moves by each
/// digit of its distance, together with all blocks that have that digit. Few short messages for many short
/// blocks; empty blocks are in no message. @tparam From blocks of so many bytes and more go from rank to rank
/// @see K. Fan, J. Domke, S. Ba and S. Kumar, 'Parameterized algorithms for non-uniform all-to-all' (HPDC
/// 2025)
template <int Radix = 4, std::size_t From = 512>
struct k_ary_bruck : detail::policy_of<detail::algorithm::k_ary_bruck, Radix, From> {
    static_assert(Radix >= 2, "topo::k_ary_bruck<Radix, From>: at least two ranks meet in a round");
    static_assert(From >= 1, "topo::k_ary_bruck<Radix, From>: blocks go directly from 1 byte on, or more");
};

/// All blocks from one node to another travel in one message, between two ranks that carry it; each rank of a
/// node is the carrier for other nodes. Inside nodes through shared memory; where there is none, by
/// `k_ary_bruck<Radix>` among the ranks of a node. Between two nodes without blocks there is no message.
/// all_to_all, whose blocks are equal, goes in rounds of Radix ranks where there is no shared memory.
/// @tparam From all_to_allv: blocks of so many bytes and more go from rank to rank. all_to_all: from so many
/// bytes on, each rank sends one message to each other node, to a rank there from which all read it
/// @see A. Bienz, W. Gropp and L. Olson, 'Reducing communication in algebraic multigrid with multi-step node
/// aware communication' (2020)
template <int Radix = 4, std::size_t From = 2048>
struct node_aggregated : detail::policy_of<detail::algorithm::node_aggregated, Radix, From> {
    static_assert(Radix >= 2, "topo::node_aggregated<Radix, From>: at least two ranks meet in a round");
    static_assert(From >= 1,
                  "topo::node_aggregated<Radix, From>: blocks go directly from 1 byte on, or more");
};

/// Dissemination over all ranks: the distance to the signalled rank doubles in each step.
struct dissemination : detail::policy_of<detail::algorithm::dissemination> {};

/// Through the shared memory of a node, see algorithm/shared.hpp: an algorithm for `hierarchical`, and by
/// itself a policy for gather, scatter, all_gather and all_to_all, where all ranks are in one node; by the
/// MPI's own where they are not.
struct shared;

/// gather, scatter and all_gather through the memory of each NUMA node: all blocks of one travel in one
/// message, to or from its first rank. Where the levels have no NUMA nodes, through the memory of each node;
/// where ranks share no memory, by the MPI's own.
struct shared_by_numa_node : detail::policy_of<detail::algorithm::shared_by_numa_node> {};

/// Recursive doubling with up to Radix ranks in a group: in each round a rank exchanges everything that it
/// has or has reduced with Radix - 1 others, Radix times as far away as in the round before. In a broadcast
/// the root first scatters blocks. If all nodes hold the same number of ranks, the sequence of radices
/// follows the levels of the hierarchy. Few rounds of several short messages are faster than many rounds
/// where the latency of a message is longer than the time to send one.
/// @see Ruefenacht, Bull, Booth: Generalisation of recursive doubling for AllReduce, Parallel Computing 69
/// (2017), who call it recursive multiplying
template <int Radix>
struct k_ary_recursive_doubling : detail::policy_of<detail::algorithm::recursive_doubling, Radix> {
    static_assert(Radix >= 2, "topo::k_ary_recursive_doubling<Radix>: at least two ranks meet in a round");
};

/// Recursive doubling: in each of log2 p rounds a rank exchanges everything that it has or has reduced with a
/// rank twice as far away as in the round before.
using recursive_doubling = k_ary_recursive_doubling<2>;

/// Recursive halving with up to Radix ranks in a group: in each round a rank divides what it still reduces
/// into Radix blocks, and exchanges these with Radix - 1 others.
template <int Radix>
struct k_ary_recursive_halving : detail::policy_of<detail::algorithm::recursive_halving, Radix> {
    static_assert(Radix >= 2, "topo::k_ary_recursive_halving<Radix>: at least two ranks meet in a round");
};

/// Recursive halving: in each of log2 p rounds a rank exchanges half of what it still reduces with a rank
/// twice as far away as in the round before.
using recursive_halving = k_ary_recursive_halving<2>;

/// K-ary Rabenseifner: `k_ary_recursive_halving`, then an all-gather, or a gather on the root, in the reverse
/// order. @tparam WholeBytes in an all-reduce, blocks of up to this length are not divided further but
/// exchanged whole in a group, which saves rounds of the all-gather
template <int Radix, std::size_t WholeBytes = 0>
struct k_ary_rabenseifner : detail::policy_of<detail::algorithm::rabenseifner, Radix, WholeBytes> {
    static_assert(Radix >= 2, "topo::k_ary_rabenseifner<Radix>: at least two ranks meet in a round");
};

/// Rabenseifner's algorithm: `recursive_halving`, then an all-gather, or a gather on the root, in the reverse
/// order.
using rabenseifner = k_ary_rabenseifner<2>;

/// Rabenseifner's algorithm with ranks that are a third nearer: at the distances 1, 1, 3, 5, 11, 21, ...
/// instead of 1, 2, 4, 8, 16, 32, around a ring. Less goes between groups of ranks that are near each other
/// and that no description names, such as the nodes of a switch with few links up. For 256 KiB to a few MiB
/// on one rank a node; a number of ranks that is no power of 2 takes a round before and one after, of whole
/// messages.
/// @see De Sensi and others: Bine Trees: Enhancing Collective Operations by Optimizing Communication Locality
/// (2025)
struct bine : detail::policy_of<detail::algorithm::bine> {};

/// On a circulant graph, in the least number of rounds for any number p of ranks; in each a rank sends one
/// message and receives one. Reductions combine in any order. For one rank a node; elsewhere `hierarchical`
/// with `circulant_in_level` between nodes.
///
/// - broadcast and reduce: a long message in n pieces, n - 1 + ceil(log2 p) rounds. No rank sends or receives
///   more than the whole message, but for the root's last rounds. Sends are synchronous, so that one piece at
///   a time is on its way to a rank and from it; in non-blocking forms rounds overlap.
/// - all_reduce: 2 ceil(log_K p) rounds of K - 1 messages, in which a rank sends and receives 2 (p - 1) / p
///   of the message. For numbers of ranks that have large prime factors.
/// - all_gather(v): each block in n pieces, n - 1 + ceil(log2 p) rounds, in which a rank receives each byte
///   once; n is 1 for short blocks. For blocks of very different lengths.
///
/// @tparam PieceBytes of a piece; if x bytes take a + b x, a broadcast of m bytes is the fastest with n =
/// sqrt((ceil(log2 p) - 1) m b / a); in all_gather of the longest block's; in all_reduce combining one
/// overlaps with the transfer of the next
/// @tparam Radix K, of all_reduce alone
/// @see J. L. Träff: Optimal broadcast schedules in logarithmic time (2024); Optimal, non-pipelined
/// reduce-scatter and allreduce algorithms (2024)
template <std::size_t PieceBytes = 8192, int Radix = 2>
struct circulant : detail::policy_of<detail::algorithm::circulant, Radix, PieceBytes> {
    static_assert(PieceBytes > 0, "topo::circulant<PieceBytes, Radix>: a piece needs at least one byte");
    static_assert(Radix >= 2, "topo::circulant<PieceBytes, Radix>: a round has at least two parts");
};

/// Decides for each call by verb, machine and bytes, and by what was measured: the default. @see
/// docs/tuning.md
struct automatic {};

} // namespace topo
