// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plan of a graph of which each rank gives its own edges, and each rank's share of that plan.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/detail/node_table.hpp>
#include <topomp/mapping/graph_lists.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/reordering.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace topo::detail {

/// A rank's options for a graph besides its neighbours.
struct graph_header {
    static constexpr int left_out = -1;

    int neighbours = left_out; ///< how many
    reordering reorder = reordering::allowed;
    mapping_goal first = mapping_goal::total;
    graph_algorithm algorithm = graph_algorithm::automatic;
    mapping_effort effort = mapping_effort::usual;

    bool is_in() const { return neighbours != left_out; }
};

/// @throws argument_error if ranks request different plans
void require_one_wish(std::string_view call, std::span<const graph_header> ranks);

/// The node of each of some ranks, numbered as a plan numbers the nodes that these ranks are on.
std::vector<int> nodes_of(std::span<const int> ranks, const node_table& table);

/// The vertices are the ranks that are not left out, in their order. A plan counts in seats; this class
/// converts which ranks keep their places, and the cost of the present order, into what `graph_plan` takes.
class graph_assembly {
public:
    /// @param lists of each rank
    graph_assembly(std::string_view call, const node_table& table, std::span<const graph_header> ranks,
                   const graph_lists& lists);

    /// In the numbers of the old ranks.
    const graph_plan& plan() const { return plan_; }

    /// A rank's share: the vertices that its own sends to, and those that send to it.
    struct neighbourhood {
        int destinations = 0, sources = 0;
    };
    const std::vector<neighbourhood>& neighbourhoods() const { return neighbourhoods_; }
    /// Of each rank both, destinations first.
    const graph_lists& replies() const { return replies_; }

private:
    static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

    /// A rank that is left out has no seat; a node with no other ranks is left out.
    void find_seats(const node_table& table);

    /// The same of the parts of nodes, of which the table has the sizes in seats.
    void find_parts(const node_table& table);

    void make_plan(std::string_view call);

    void make_replies(std::string_view call);

    std::span<const graph_header> ranks_;
    const graph_lists& lists_;
    std::vector<int> vertex_of_rank_, rank_of_vertex_, seat_of_vertex_, rank_of_seat_;
    graph_request request_;
    graph_plan plan_;
    std::vector<neighbourhood> neighbourhoods_;
    graph_lists replies_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/graph/impl/graph_assembly.ipp>
#endif
