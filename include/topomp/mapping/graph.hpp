// SPDX-License-Identifier: BSL-1.0
/// @file
/// A communicator for a graph whose neighbours share nodes.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/mapping/graph_lists.hpp>
#include <topomp/mapping/graph_options.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace topo {

namespace detail {
class graph_assembly;
struct graph_header;
struct node_table;
} // namespace detail

/// A communicator for a graph: rank v is vertex v, and ranks are numbered so that vertices that exchange data
/// are on the same node as far as possible.
///
/// ```
///   old ranks on two nodes of 3    0 1 2 | 3 4 5
///   links                          0-3 3-4    1-2 2-5
///   old rank of each vertex        0 3 4 1 2 5      vertices 0, 3 and 4 on the first node
/// ```
///
/// The neighbours given by the old rank v are those of vertex v, which may be another process afterwards: its
/// data must be moved (`remap`, `permute`). The vertices are the ranks in their order; those that stay out
/// are not counted. Copies share the communicator; the last one frees it. One that was moved from, or
/// outlives `MPI_Finalize`, may be destroyed, copied and assigned to; every other use throws a usage_error.
/// @snippet examples/09_graph.cpp create
/// @see paper 4, section 3.1 (`Graph_create`)
class graph {
public:
    /// Maps a graph to the ranks of a hierarchy.
    ///
    /// @param neighbours ranks of the whole to which the caller's vertex sends; one that occurs several times
    /// has that many times the load. Receivers need not list their senders
    /// @collective over the whole
    /// @cost the first time an all-gather of three integers per rank. Then four integers per rank to all, all
    /// links to rank 0, a plan made there, an integer per rank back to all, and to each rank its own links;
    /// an all-reduce of an integer, an `MPI_Comm_create` if any rank gets another number, and an
    /// `MPI_Dist_graph_create_adjacent`
    /// @throws argument_error on every rank if a neighbour is no rank or stays out, a weight is not positive
    /// or there is not one for each neighbour, weights add up to more than 2^60, or ranks differ in what has
    /// to be the same
    graph(const hierarchy& levels, const std::vector<int>& neighbours, const graph_options& options = {})
        : state_(make(levels, &neighbours, options)) {}

    /// For a rank that shall not be in the graph: it gets an empty one. @collective as the other
    graph(const hierarchy& levels, std::nullopt_t, const graph_options& options = {})
        : state_(make(levels, nullptr, options)) {}

    /// The same for the ranks of a communicator, with the hierarchy that is cached on it: the table of its
    /// nodes is reused by the next graph or grid. @collective over `comm`
    graph(const boost::mpi::communicator& comm, const std::vector<int>& neighbours,
          const graph_options& options = {});
    /// The same for a rank that shall not be in the graph.
    graph(const boost::mpi::communicator& comm, std::nullopt_t, const graph_options& options = {});
    /// The same for a raw communicator, which stays the caller's.
    graph(MPI_Comm comm, const std::vector<int>& neighbours, const graph_options& options = {})
        : graph(detail::lent(comm), neighbours, options) {}
    /// The same for a rank that shall not be in the graph.
    graph(MPI_Comm comm, std::nullopt_t, const graph_options& options = {})
        : graph(detail::lent(comm), std::nullopt, options) {}

    /// Whether the calling rank is in the graph. Where it is not, `comm()` is none and nothing but `size()`,
    /// `plan()`, `old_rank()` and `new_rank()` may be called.
    explicit operator bool() const { return open("operator bool").rank != MPI_PROC_NULL; }

    /// The communicator, with MPI's distributed graph: its neighbour collectives work on it. Destinations and
    /// sources are in the order of those below, and have their weights, cut off at the greatest int.
    const boost::mpi::communicator& comm() const { return open("comm").comm; }
    /// The same, for MPI calls.
    operator MPI_Comm() const { return comm(); }
    /// The calling rank's vertex.
    int rank() const { return open("rank").rank; }
    /// The number of vertices.
    int size() const { return static_cast<int>(plan().owner.size()); }

    /// The owner of each vertex: `plan().owner` counts as the communicator did from which this one was made,
    /// and `plan().blocked` is what that order would have cost. Never worse than that, unless an algorithm is
    /// requested by name.
    const graph_plan& plan() const { return open("plan").plan; }

    /// The number that a rank had before. Local. @throws argument_error if there is no such rank
    int old_rank(int rank) const { return plan().owner[checked(rank)]; }
    /// The number that a rank of the old communicator has now; nothing if it stayed out. Local.
    /// @cost linear in the number of ranks
    std::optional<int> new_rank(int old_rank) const;

    /// The ranks that the calling rank sends to, each once, in the order in which the list had them. Local.
    const std::vector<int>& destinations() const { return open("destinations").destinations; }
    /// The ranks that send to it, in ascending order. Local.
    const std::vector<int>& sources() const { return open("sources").sources; }
    /// The load to each destination and from each source. Local.
    const std::vector<std::int64_t>& destination_weights() const;
    /// The load from each source, in the order of `sources()`. Local.
    const std::vector<std::int64_t>& source_weights() const { return open("source_weights").source_weights; }

    /// The plan of `neighbour_all_to_all` and its like on this graph, from `sources()` and to
    /// `destinations()`. @collective over `comm()` the first time @cost then as the constructor of
    /// `neighbourhood`
    neighbourhood neighbours() const;

    /// Whether a rank is on the calling rank's node. Local. @throws argument_error if there is no such rank
    bool is_on_node(int rank) const;
    /// How many of the calling rank's destinations are on its node, itself left out. Local.
    int partners_on_node() const;

private:
    struct state {
        graph_plan plan;
        boost::mpi::communicator comm = detail::own(MPI_COMM_NULL);
        int rank = MPI_PROC_NULL;
        std::vector<int> destinations, sources;
        std::vector<std::int64_t> destination_weights, source_weights;
        mutable std::optional<neighbourhood> neighbours; ///< made at first use
    };
    /// Of a plan, what is not a list.
    struct summary {
        mapping_quality now, blocked;
        std::array<graph_plan::level, 2> parts; ///< as many as a `node_table` has at most
        int levels;
        graph_algorithm algorithm;
        bool is_refined;
    };
    static constexpr const char* call = "topo::graph";

    const state& open(const char* member) const;

    std::size_t checked(int rank) const;

    static std::shared_ptr<const state> make(const hierarchy& levels, const std::vector<int>* neighbours,
                                             const graph_options& options);

    /// The lists of all ranks on rank 0, which has the memory for them.
    static detail::graph_lists gathered(std::span<const detail::graph_header> ranks,
                                        std::span<const detail::graph_end> mine,
                                        const boost::mpi::communicator& whole);

    /// Rank 0 makes the plan. The others wait for it, and need no memory for the links of all.
    static void receive_plan(state& built, const detail::node_table& table,
                             std::span<const detail::graph_header> ranks, const detail::graph_lists& lists,
                             const boost::mpi::communicator& whole);

    static void receive_neighbours(state& built, const detail::graph_assembly* made, MPI_Comm whole);

    static std::vector<int> as_ints(const std::vector<std::int64_t>& weights);

    static void make_communicator(state& built, const boost::mpi::communicator& whole);

    std::shared_ptr<const state> state_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/graph.ipp>
#endif
