// SPDX-License-Identifier: BSL-1.0
/// @file
/// A communicator for a graph whose neighbours share nodes.
#pragma once

#include <topomp/core/agreement.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/usable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/mapping/graph_assembly.hpp>
#include <topomp/mapping/graph_lists.hpp>
#include <topomp/mapping/graph_options.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/node_table.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

/// A communicator for a graph: rank v is vertex v, and ranks are numbered so that vertices that exchange data
/// are on the same node as far as possible.
///
/// ```
///   old ranks on two nodes of 3    0 1 2 | 3 4 5
///   who sends to whom              0-3 3-4    1-2 2-5
///   old rank of each vertex        0 3 4 1 2 5      vertices 0, 3 and 4 on the first node
/// ```
///
/// What the old rank v said of its neighbours holds for vertex v, which another process may be afterwards:
/// its data goes along (`remap`, `permute`). The vertices are the ranks in their order; those that stay out
/// are not counted. Copies share the communicator; the last one frees it. One that was moved from, or is kept
/// beyond `MPI_Finalize`, may be destroyed, copied and assigned to; all else throws a usage_error.
/// @snippet examples/09_graph.cpp create
/// @see paper 4, section 3.1 (`Graph_create`)
class graph {
public:
    /// Maps a graph to the ranks of a hierarchy.
    ///
    /// @param neighbours ranks of the whole to which the caller's vertex sends; one that comes several times
    /// has that much more load. Who receives need not say so
    /// @collective over the whole
    /// @cost the first time an all-gather of three integers per rank. Then four integers per rank to all, all
    /// links to rank 0, a plan made there, an integer per rank back to all, and to each rank its own links;
    /// an all-reduce of an integer, an `MPI_Comm_create` if anybody gets another number, and an
    /// `MPI_Dist_graph_create_adjacent`
    /// @throws argument_error on every rank if a neighbour is no rank or stays out, a weight is not positive
    /// or there is not one for each neighbour, weights add up to more than 2^62, or ranks differ in what has
    /// to be the same
    graph(const hierarchy& tree, const std::vector<int>& neighbours, const graph_options& options = {})
        : state_(make(tree, &neighbours, options)) {}

    /// For a rank that shall not be in the graph: it gets an empty one. @collective as the other
    graph(const hierarchy& tree, std::nullopt_t, const graph_options& options = {})
        : state_(make(tree, nullptr, options)) {}

    /// The same for the ranks of a communicator, with the hierarchy that is cached on it: what is known of
    /// its nodes is used again by the next graph or grid. @collective over `comm`
    graph(const boost::mpi::communicator& comm, const std::vector<int>& neighbours,
          const graph_options& options = {})
        : graph(detail::hierarchy_for(call, comm), neighbours, options) {}
    graph(const boost::mpi::communicator& comm, std::nullopt_t, const graph_options& options = {})
        : graph(detail::hierarchy_for(call, comm), std::nullopt, options) {}
    graph(MPI_Comm comm, const std::vector<int>& neighbours, const graph_options& options = {})
        : graph(detail::lent(comm), neighbours, options) {}
    graph(MPI_Comm comm, std::nullopt_t, const graph_options& options = {})
        : graph(detail::lent(comm), std::nullopt, options) {}

    /// Whether the calling rank is in the graph. Where it is not, `comm()` is none and nothing but `size()`,
    /// `plan()`, `old_rank()` and `new_rank()` may be asked.
    explicit operator bool() const { return open("operator bool").rank != MPI_PROC_NULL; }

    /// The communicator, with MPI's distributed graph: its neighbour collectives work on it. Destinations and
    /// sources are in the order of those below, and have their weights, cut off at the greatest int.
    const boost::mpi::communicator& comm() const { return open("comm").comm; }
    operator MPI_Comm() const { return comm(); }
    /// The calling rank's vertex.
    int rank() const { return open("rank").rank; }
    int size() const { return static_cast<int>(plan().owner.size()); }

    /// Who is which vertex: `plan().owner` counts as the communicator did from which this one was made, and
    /// `plan().blocked` is what that order would have cost. Never worse than that, unless an algorithm is
    /// asked for by name.
    const graph_plan& plan() const { return open("plan").plan; }

    /// The number that a rank had before. Local. @throws argument_error if there is no such rank
    int old_rank(int rank) const { return plan().owner[checked(rank)]; }
    /// The number that a rank of the old communicator has now; nothing if it stayed out. Local.
    /// @cost linear in the number of ranks
    std::optional<int> new_rank(int old_rank) const {
        const auto found = std::ranges::find(plan().owner, old_rank);
        if (found == plan().owner.end()) return std::nullopt;
        return static_cast<int>(found - plan().owner.begin());
    }

    /// The ranks that the calling rank sends to, each once, in the order in which the list had them. Local.
    const std::vector<int>& destinations() const { return open("destinations").destinations; }
    /// The ranks that send to it, in ascending order. Local.
    const std::vector<int>& sources() const { return open("sources").sources; }
    /// The load to each destination and from each source. Local.
    const std::vector<std::int64_t>& destination_weights() const {
        return open("destination_weights").destination_weights;
    }
    const std::vector<std::int64_t>& source_weights() const { return open("source_weights").source_weights; }

    /// Whether a rank is on the calling rank's node. Local. @throws argument_error if there is no such rank
    bool is_on_node(int rank) const {
        return plan().node[checked(rank)] == plan().node[checked(this->rank())];
    }
    /// How many of the calling rank's destinations are on its node, itself left out. Local.
    int partners_on_node() const {
        return static_cast<int>(std::ranges::count_if(
            destinations(), [&](int each) { return each != rank() && is_on_node(each); }));
    }

private:
    struct state {
        graph_plan plan;
        boost::mpi::communicator comm = detail::own(MPI_COMM_NULL);
        int rank = MPI_PROC_NULL;
        std::vector<int> destinations, sources;
        std::vector<std::int64_t> destination_weights, source_weights;
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

    const state& open(const char* member) const {
        detail::require_usable(state_ != nullptr, call, member);
        return *state_;
    }

    std::size_t checked(int rank) const {
        if (rank < 0 || rank >= size())
            throw argument_error(call, "rank " + std::to_string(rank),
                                 "the graph has " + std::to_string(size()) + " ranks");
        return static_cast<std::size_t>(rank);
    }

    static std::shared_ptr<const state> make(const hierarchy& tree, const std::vector<int>* neighbours,
                                             const graph_options& options) {
        const auto& table = detail::node_table::of(tree);
        const auto& whole = tree.whole();
        const auto mine = detail::all_or_none(whole, [&] {
            auto ends = neighbours == nullptr
                            ? std::vector<detail::graph_end>{}
                            : detail::ends_of(call, *neighbours, options.weights, whole.size());
            detail::numbers_in(call, ends.size());
            return ends;
        });
        const detail::graph_header said{neighbours == nullptr ? detail::graph_header::left_out
                                                              : static_cast<int>(mine.size()),
                                        options.reorder, options.first, options.algorithm, options.effort};
        std::vector<detail::graph_header> ranks(static_cast<std::size_t>(whole.size()));
        mpi::check(MPI_Allgather(&said, sizeof said, MPI_BYTE, ranks.data(), sizeof said, MPI_BYTE, whole),
                   "MPI_Allgather", "what ranks say of a graph");
        detail::require_one_wish(call, ranks);
        auto built = std::make_shared<state>();
        receive_plan(*built, table, ranks, gathered(ranks, mine, whole), whole);
        make_communicator(*built, whole);
        return built;
    }

    /// The lists of all ranks on rank 0, where there is room for them.
    static detail::graph_lists gathered(std::span<const detail::graph_header> ranks,
                                        std::span<const detail::graph_end> mine,
                                        const boost::mpi::communicator& whole) {
        std::vector<std::size_t> lengths;
        for (const auto& each : ranks)
            lengths.push_back(each.is_in() ? static_cast<std::size_t>(each.neighbours) : 0);
        detail::numbers_in(call, std::reduce(lengths.begin(), lengths.end()));
        detail::graph_lists lists;
        if (whole.rank() == 0) lists.resize(call, lengths);
        detail::gather_lists(mine, lists, whole);
        return lists;
    }

    /// Rank 0 makes the plan. The others wait for it, and need no memory for the links of all.
    static void receive_plan(state& built, const detail::node_table& table,
                             std::span<const detail::graph_header> ranks, const detail::graph_lists& lists,
                             const boost::mpi::communicator& whole) {
        const auto made = detail::on_first(
            whole, [&] { return std::make_shared<const detail::graph_assembly>(call, table, ranks, lists); });
        graph_plan& plan = built.plan;
        if (made) plan = made->plan();
        const auto size = static_cast<std::size_t>(
            std::ranges::count_if(ranks, [](const detail::graph_header& each) { return each.is_in(); }));
        plan.owner.resize(size);
        mpi::bcast(plan.owner.data(), static_cast<int>(size), MPI_INT, 0, whole, "owners of vertices");
        if (!made) plan.node = detail::nodes_of(plan.owner, table);
        summary rest{plan.now,       plan.blocked,   {}, static_cast<int>(plan.parts.size()),
                     plan.algorithm, plan.is_refined};
        std::ranges::copy(plan.parts, rest.parts.begin());
        mpi::bcast(&rest, sizeof rest, MPI_BYTE, 0, whole, "costs of a plan");
        plan.now = rest.now;
        plan.blocked = rest.blocked;
        plan.algorithm = rest.algorithm;
        plan.is_refined = rest.is_refined;
        plan.parts.assign(rest.parts.begin(), rest.parts.begin() + rest.levels);
        if (size > 0) receive_neighbours(built, made.get(), whole);
    }

    static void receive_neighbours(state& built, const detail::graph_assembly* made, MPI_Comm whole) {
        detail::graph_assembly::neighbourhood mine;
        const detail::graph_lists none;
        mpi::check(MPI_Scatter(made != nullptr ? made->neighbourhoods().data() : nullptr, 2, MPI_INT, &mine,
                               2, MPI_INT, 0, whole),
                   "MPI_Scatter", "numbers of neighbours");
        std::vector<detail::graph_end> ends(static_cast<std::size_t>(mine.destinations + mine.sources));
        detail::scatter_lists(made != nullptr ? made->replies() : none, ends, whole);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const bool is_out = i < static_cast<std::size_t>(mine.destinations);
            (is_out ? built.destinations : built.sources).push_back(static_cast<int>(ends[i].at));
            (is_out ? built.destination_weights : built.source_weights).push_back(ends[i].weight);
        }
    }

    static std::vector<int> as_ints(const std::vector<std::int64_t>& weights) {
        std::vector<int> result;
        for (const std::int64_t each : weights)
            result.push_back(static_cast<int>(std::min<std::int64_t>(each, std::numeric_limits<int>::max())));
        return result;
    }

    static void make_communicator(state& built, const boost::mpi::communicator& whole) {
        const auto& owner = built.plan.owner;
        if (owner.empty()) return;
        const auto place = std::ranges::find(owner, whole.rank());
        const bool is_everybody = std::ssize(owner) == whole.size() && std::ranges::is_sorted(owner);
        auto ordered = is_everybody ? whole : detail::in_order(whole, owner, "order of a graph");
        if (place == owner.end()) return;
        built.rank = static_cast<int>(place - owner.begin());
#ifdef SMPI_H // which has no distributed graphs
        built.comm = is_everybody ? boost::mpi::communicator{whole, boost::mpi::comm_duplicate} : ordered;
#else
        // Two arrays of no neighbours may both be null, which would be MPI's word for no weights.
        const auto in = as_ints(built.source_weights), out = as_ints(built.destination_weights);
        MPI_Comm made = MPI_COMM_NULL;
        mpi::check(MPI_Dist_graph_create_adjacent(ordered, static_cast<int>(in.size()), built.sources.data(),
                                                  in.empty() ? MPI_WEIGHTS_EMPTY : in.data(),
                                                  static_cast<int>(out.size()), built.destinations.data(),
                                                  out.empty() ? MPI_WEIGHTS_EMPTY : out.data(), MPI_INFO_NULL,
                                                  0, &made),
                   "MPI_Dist_graph_create_adjacent", "graph");
        built.comm = detail::own(made);
#endif
    }

    std::shared_ptr<const state> state_;
};

} // namespace topo
