// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/mapping/detail/node_table.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/graph/graph_assembly.hpp>
#include <topomp/mapping/graph_lists.hpp>
#include <topomp/mapping/graph_options.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
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

TOPOMP_INLINE graph::graph(const boost::mpi::communicator& comm, const std::vector<int>& neighbours,
                           const graph_options& options)
    : graph(detail::hierarchy_for(call, comm), neighbours, options) {}

TOPOMP_INLINE graph::graph(const boost::mpi::communicator& comm, std::nullopt_t, const graph_options& options)
    : graph(detail::hierarchy_for(call, comm), std::nullopt, options) {}

TOPOMP_INLINE std::optional<int> graph::new_rank(int old_rank) const {
    const auto found = std::ranges::find(plan().owner, old_rank);
    if (found == plan().owner.end()) return std::nullopt;
    return static_cast<int>(found - plan().owner.begin());
}

TOPOMP_INLINE const std::vector<std::int64_t>& graph::destination_weights() const {
    return open("destination_weights").destination_weights;
}

TOPOMP_INLINE neighbourhood graph::neighbours() const {
    const state& here = open("neighbours");
    if (!here.neighbours)
        here.neighbours.emplace(std::make_shared<detail::node_groups>(here.comm, here.plan.node),
                                here.sources, here.destinations, neighbour_route::best);
    return *here.neighbours;
}

TOPOMP_INLINE bool graph::is_on_node(int rank) const {
    return plan().node[checked(rank)] == plan().node[checked(this->rank())];
}

TOPOMP_INLINE int graph::partners_on_node() const {
    return static_cast<int>(
        std::ranges::count_if(destinations(), [&](int each) { return each != rank() && is_on_node(each); }));
}

TOPOMP_INLINE const graph::state& graph::open(const char* member) const {
    detail::require_usable(state_ != nullptr, call, member);
    return *state_;
}

TOPOMP_INLINE std::size_t graph::checked(int rank) const {
    if (rank < 0 || rank >= size())
        throw argument_error(call, "rank " + std::to_string(rank),
                             "the graph has " + std::to_string(size()) + " ranks");
    return static_cast<std::size_t>(rank);
}

TOPOMP_INLINE std::shared_ptr<const graph::state>
graph::make(const hierarchy& levels, const std::vector<int>* neighbours, const graph_options& options) {
    detail::require_open(call, levels);
    const auto& table = detail::node_table::of(levels);
    const auto& whole = levels.whole();
    const auto mine = detail::all_or_none(whole, [&] {
        auto ends = neighbours == nullptr ? std::vector<detail::graph_end>{}
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

TOPOMP_INLINE detail::graph_lists graph::gathered(std::span<const detail::graph_header> ranks,
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

TOPOMP_INLINE void graph::receive_plan(state& built, const detail::node_table& table,
                                       std::span<const detail::graph_header> ranks,
                                       const detail::graph_lists& lists,
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

TOPOMP_INLINE void graph::receive_neighbours(state& built, const detail::graph_assembly* made,
                                             MPI_Comm whole) {
    detail::graph_assembly::neighbourhood mine;
    const detail::graph_lists none;
    mpi::check(MPI_Scatter(made != nullptr ? made->neighbourhoods().data() : nullptr, 2, MPI_INT, &mine, 2,
                           MPI_INT, 0, whole),
               "MPI_Scatter", "numbers of neighbours");
    std::vector<detail::graph_end> ends(static_cast<std::size_t>(mine.destinations + mine.sources));
    detail::scatter_lists(made != nullptr ? made->replies() : none, ends, whole);
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const bool is_out = i < static_cast<std::size_t>(mine.destinations);
        (is_out ? built.destinations : built.sources).push_back(static_cast<int>(ends[i].at));
        (is_out ? built.destination_weights : built.source_weights).push_back(ends[i].weight);
    }
}

TOPOMP_INLINE std::vector<int> graph::as_ints(const std::vector<std::int64_t>& weights) {
    std::vector<int> result;
    for (const std::int64_t each : weights)
        result.push_back(static_cast<int>(std::min<std::int64_t>(each, std::numeric_limits<int>::max())));
    return result;
}

TOPOMP_INLINE void graph::make_communicator(state& built, const boost::mpi::communicator& whole) {
    const auto& owner = built.plan.owner;
    if (owner.empty()) return;
    const auto place = std::ranges::find(owner, whole.rank());
    const bool is_everybody = std::ssize(owner) == whole.size() && std::ranges::is_sorted(owner);
    auto ordered = is_everybody ? whole : detail::in_order(whole, owner, "order of a graph");
    if (place == owner.end()) return;
    built.rank = static_cast<int>(place - owner.begin());
#ifdef SMPI_H // which has no distributed graphs
    built.comm = is_everybody ? detail::own(mpi::comm_dup(whole, "ranks of a graph")) : ordered;
#else
    // Two arrays of no neighbours may both be null, which would be MPI's word for no weights.
    const auto in = as_ints(built.source_weights), out = as_ints(built.destination_weights);
    MPI_Comm made = MPI_COMM_NULL;
    mpi::meet_before_creation(ordered);
    mpi::check(MPI_Dist_graph_create_adjacent(ordered, static_cast<int>(in.size()), built.sources.data(),
                                              in.empty() ? MPI_WEIGHTS_EMPTY : in.data(),
                                              static_cast<int>(out.size()), built.destinations.data(),
                                              out.empty() ? MPI_WEIGHTS_EMPTY : out.data(), MPI_INFO_NULL, 0,
                                              &made),
               "MPI_Dist_graph_create_adjacent", "graph");
    built.comm = detail::own(made);
#endif
}

} // namespace topo
