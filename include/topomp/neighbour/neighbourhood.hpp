// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks send to the calling rank and to which it sends, prepared for repeated exchanges.
#pragma once

#include <topomp/core/detail/says.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

/// What refuses a call of an exchange without neighbours, or with too few arguments. @param form how the call
/// is written
#define TOPOMP_NEEDS_NEIGHBOURS(form)                                                                        \
    TOPOMP_REFUSED("topo: neighbours or another argument are missing: " form                                 \
                   ", where `where` is a topo::neighbourhood, a topo::graph, a topo::node_cart or a "        \
                   "communicator with a topology of MPI's; a hierarchy has no neighbours")

namespace topo {

class neighbourhood;

namespace detail {
struct node_groups;
struct neighbours_in_background;

/// As `node_groups::lowest_of_all`.
void lowest_of_neighbours(const neighbourhood& links, std::int64_t* values, std::size_t count);
} // namespace detail

/// How blocks for other nodes travel.
enum class neighbour_route {
    best,    ///< direct, or those shorter than `neighbourhood::direct_from` by node
    direct,  ///< one message for each link
    by_node, ///< all blocks from one node to another together, in one message, in three steps; where ranks of
             ///< a node have memory in common, blocks of more than 16 KiB are direct
};

/// The sources and destinations of the calling rank, and the plan by which blocks travel between nodes: made
/// once, used by every `neighbour_all_to_all(v)` and `neighbour_all_gather(v)` on it.
///
/// Blocks of `direct_from` bytes or more for another node are messages of their own. Shorter ones go to one
/// rank of the own node (another one for each node), together to one rank of the other node, and from there
/// to their ranks. Of an all-gather each block crosses once for each node that needs it.
///
/// Where the ranks of every node have memory in common, exchanges move blocks of up to 8 KiB inside a node
/// through it, or 4 KiB where the kernel does not copy between processes (less where many ranks share its
/// memory's rate). Longer blocks inside a node are copied by the kernel, or are messages. Blocks to and from
/// carriers, of up to 16 KiB, go through the memory, too. Then there is a signal in the place of each message
/// inside a node, and several ranks carry what goes to another node, each a part. A node's memory has room
/// for the longest of these blocks on each of its links, twice, of which only what is written takes memory;
/// with more than 64 MiB all are messages. Exchanges use it one after the other: non-blocking ones that were
/// started before others end before these begin. Persistent ones have memory of their own.
///
/// Copies share the plan; the last one frees it. One that was moved from, or outlives `MPI_Finalize`, may be
/// destroyed, copied and assigned to; every other use throws a usage_error.
///
/// After an exchange that the MPI or the system has made fail (not one with blocks of other lengths), all
/// exchanges on neighbourhoods made until then from the same hierarchy, `node_cart`, `graph` or communicator
/// throw a usage_error on that rank: what is still under way would come to them. One that all ranks make
/// then has communicators of its own.
/// @see A. Bienz, W. D. Gropp and L. N. Olson, 'Node aware sparse matrix-vector multiplication' (2019); G.
/// Collom, R. Li and A. Bienz, 'Optimizing irregular communication with neighborhood collectives and
/// locality-aware parallelism' (2023)
class neighbourhood {
public:
    /// Any neighbours. A rank may occur several times, and may be the calling rank; `MPI_PROC_NULL` is no
    /// rank: its blocks do not move. Of several links between two ranks the first in the sender's list is the
    /// first in the receiver's.
    /// @param sources ranks of the whole that send to the calling rank @param destinations those to which it
    /// sends; every rank lists both
    /// @collective over the whole, with the same route
    /// @cost the first time for a hierarchy a duplicate of its communicator, a split and an all-gather of an
    /// integer. Then all-gathers in the node, of two integers for each other node with which its ranks have
    /// links and for each of its links, an all-reduce in the node of an integer for each of its ranks, a
    /// message between each two nodes that have links, and all-reduces of up to seven integers; after a
    /// failed exchange a duplicate and a split again
    /// @throws argument_error on every rank if a neighbour is no rank; in a checked build also if one rank's
    /// destinations are not the sources of the others
    neighbourhood(const hierarchy& levels, std::vector<int> sources, std::vector<int> destinations,
                  neighbour_route route = neighbour_route::best);
    /// A communicator in the place of the hierarchy does not compile.
    template <class... Rest>
    neighbourhood(detail::no_hierarchy, Rest&&...) TOPOMP_NEEDS_HIERARCHY;

    /// That of a communicator with a topology of MPI's: Cartesian, graph or distributed graph, in MPI's order
    /// of neighbours, on the nodes of the hierarchy that is cached on it. What is sent to the lower side of a
    /// dimension arrives from the upper side, also where both are the same rank (MPI 4.0, section 8.6).
    /// Cached on the communicator. @collective over `comm` the first time @throws argument_error if it has no
    /// topology
    static neighbourhood of(MPI_Comm comm);

    /// Of ranks whose nodes are known.
    /// @param source_keys equal for links that meet: the sender's key of a link is the receiver's; nothing:
    /// those of the first constructor
    /// @param destination_keys as `source_keys`
    neighbourhood(std::shared_ptr<detail::node_groups> groups, std::vector<int> sources,
                  std::vector<int> destinations, neighbour_route route, std::vector<int> source_keys = {},
                  std::vector<int> destination_keys = {});

    /// All ranks, on a communicator of the library's own.
    const boost::mpi::communicator& comm() const;

    /// The ranks that send to this one, in the order of the blocks that it receives.
    const std::vector<int>& sources() const;
    /// The ranks that this one sends to, in the order of the blocks that it sends.
    const std::vector<int>& destinations() const;

    /// From so many bytes on a block of `neighbour_all_to_all` has a message of its own; 0: all have. Through
    /// memory `neighbour_all_to_allv` may have a message for each block, whatever its length.
    std::size_t direct_from() const;
    /// The same of `neighbour_all_gather`.
    std::size_t direct_from_in_gather() const;

    /// Sends a block along each link and receives one along each: what all verbs on it do.
    /// @param out in the order of `destinations` @param in in the order of `sources`, each as long as what is
    /// sent, in elements that may have another type
    /// @param is_same whether all blocks of `out` are one and the same memory, on all ranks
    /// @param is_equal whether all blocks of all ranks have one length
    /// @collective over the communicator @throws argument_error for a block of more than INT_MAX elements
    /// where the MPI has no calls with large counts; on the rank that sees it, if a block that came with
    /// others has another length. In a checked build on all ranks, if any block has
    void exchange(const char* call, std::span<const message> out, std::span<const message> in,
                  bool is_same = false, bool is_equal = false) const;

private:
    friend struct detail::neighbours_in_background;
    friend void detail::lowest_of_neighbours(const neighbourhood&, std::int64_t*, std::size_t);
    struct state;
    const state& open(const char* member) const;
    std::shared_ptr<const state> state_;
};

namespace detail {

/// What has a neighbourhood of its own: `graph`, `node_cart`.
template <class T>
concept has_neighbours = requires(const T& object) {
    { object.neighbours() } -> std::convertible_to<neighbourhood>;
};

inline const neighbourhood& neighbours_of(const neighbourhood& known) { return known; }
inline neighbourhood neighbours_of(MPI_Comm comm) { return neighbourhood::of(comm); }
template <has_neighbours T>
neighbourhood neighbours_of(const T& object) {
    return object.neighbours();
}

/// What the verbs take first: a neighbourhood, a `graph`, a `node_cart`, a communicator with a topology.
template <class T>
concept neighbours = requires(const T& where) {
    neighbours_of(where);
};

/// Neighbours, and behind them at least as many arguments as the shortest form of a verb has.
template <std::size_t Least, class Where, class... Given>
concept enough_for_neighbours = neighbours<Where> && sizeof...(Given) >= Least;

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/neighbourhood.ipp>
#endif
