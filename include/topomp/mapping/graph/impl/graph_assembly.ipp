// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/detail/node_table.hpp>
#include <topomp/mapping/graph/graph_assembly.hpp>
#include <topomp/mapping/graph_lists.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/reordering.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void require_one_wish(std::string_view call, std::span<const graph_header> ranks) {
    const auto text = [](const graph_header& each) {
        return std::string{each.first == mapping_goal::total ? "the total" : "the greatest"} + " first, " +
               std::string{to_string(each.algorithm)} + ", " + std::string{to_string(each.effort)} +
               " effort";
    };
    for (std::size_t i = 1; i < ranks.size(); ++i)
        if (ranks[i].first != ranks[0].first || ranks[i].algorithm != ranks[0].algorithm ||
            ranks[i].effort != ranks[0].effort)
            throw argument_error(call, "options",
                                 "rank 0 has " + text(ranks[0]) + "; rank " + std::to_string(i) + " has " +
                                     text(ranks[i]));
}

TOPOMP_INLINE std::vector<int> nodes_of(std::span<const int> ranks, const node_table& table) {
    std::vector<int> number(table.node_sizes.size(), -1), nodes;
    const auto node_of = [&](int rank) -> int& {
        return number[static_cast<std::size_t>(table.node_of_rank[static_cast<std::size_t>(rank)])];
    };
    for (const int rank : ranks)
        node_of(rank) = 0;
    int next = 0;
    for (int& each : number)
        if (each == 0) each = next++;
    for (const int rank : ranks)
        nodes.push_back(node_of(rank));
    return nodes;
}

TOPOMP_INLINE graph_assembly::graph_assembly(std::string_view call, const node_table& table,
                                             std::span<const graph_header> ranks, const graph_lists& lists)
    : ranks_(ranks), lists_(lists), vertex_of_rank_(ranks.size(), graph_header::left_out),
      seat_of_vertex_(ranks.size()) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (ranks[rank].is_in()) {
            vertex_of_rank_[rank] = static_cast<int>(rank_of_vertex_.size());
            rank_of_vertex_.push_back(static_cast<int>(rank));
        }
    find_seats(table);
    find_parts(table);
    if (!rank_of_seat_.empty()) make_plan(call);
}

TOPOMP_INLINE void graph_assembly::find_seats(const node_table& table) {
    int last = -1;
    for (const int rank : table.rank_of_seat) {
        if (!ranks_[at(rank)].is_in()) continue;
        if (table.node_of_rank[at(rank)] != last) request_.node_sizes.push_back(0);
        last = table.node_of_rank[at(rank)];
        ++request_.node_sizes.back();
        seat_of_vertex_[at(vertex_of_rank_[at(rank)])] = static_cast<int>(rank_of_seat_.size());
        rank_of_seat_.push_back(rank);
    }
}

TOPOMP_INLINE void graph_assembly::find_parts(const node_table& table) {
    for (const auto& sizes : table.parts) {
        auto& left = request_.parts.emplace_back();
        std::size_t seat = 0;
        for (const int size : sizes) {
            const auto end = seat + at(size);
            int present = 0;
            for (; seat < end; ++seat)
                present += ranks_[at(table.rank_of_seat[seat])].is_in() ? 1 : 0;
            if (present > 0) left.push_back(present);
        }
    }
}

TOPOMP_INLINE void graph_assembly::make_plan(std::string_view call) {
    request_.first = ranks_[0].first;
    request_.algorithm = ranks_[0].algorithm;
    request_.effort = ranks_[0].effort;
    request_.edges.reserve(lists_.ends.size());
    std::vector<std::size_t> lengths(ranks_.size());
    for (std::size_t vertex = 0; vertex < rank_of_vertex_.size(); ++vertex) {
        const auto rank = at(rank_of_vertex_[vertex]);
        if (ranks_[rank].reorder == reordering::off) request_.fixed.push_back(seat_of_vertex_[vertex]);
        for (const graph_end& end : lists_[rank]) {
            const int other = vertex_of_rank_[at(end.at)];
            if (other == graph_header::left_out)
                throw argument_error(call, "rank " + std::to_string(rank),
                                     "its neighbour " + std::to_string(end.at) + " stays out");
            request_.edges.push_back({seat_of_vertex_[vertex], seat_of_vertex_[at(other)], end.weight});
        }
    }
    graph_plan in_seats = graph_plan::of(request_);
    plan_ = in_seats;
    for (std::size_t vertex = 0; vertex < rank_of_vertex_.size(); ++vertex) {
        const auto seat = at(seat_of_vertex_[vertex]);
        plan_.owner[vertex] = rank_of_seat_[at(in_seats.owner[seat])];
        plan_.node[vertex] = in_seats.node[seat];
    }
    make_replies(call);
}

TOPOMP_INLINE void graph_assembly::make_replies(std::string_view call) {
    neighbourhoods_.resize(ranks_.size());
    const auto owner = [&](std::int64_t vertex) { return at(plan_.owner[at(vertex)]); };
    const auto each_link = [&](auto visit) {
        for (std::size_t vertex = 0; vertex < rank_of_vertex_.size(); ++vertex)
            for (const graph_end& end : lists_[at(rank_of_vertex_[vertex])])
                visit(static_cast<std::int64_t>(vertex), graph_end{vertex_of_rank_[at(end.at)], end.weight});
    };
    each_link([&](std::int64_t vertex, const graph_end& end) {
        ++neighbourhoods_[owner(vertex)].destinations;
        ++neighbourhoods_[owner(end.at)].sources;
    });
    std::vector<std::size_t> lengths;
    for (const auto& each : neighbourhoods_)
        lengths.push_back(at(each.destinations) + at(each.sources));
    replies_.resize(call, lengths);
    std::vector<std::size_t> next_destination, next_source;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        next_destination.push_back(at(replies_.starts[rank]) / numbers_in_end);
        next_source.push_back(next_destination.back() + at(neighbourhoods_[rank].destinations));
    }
    each_link([&](std::int64_t vertex, const graph_end& end) {
        replies_.ends[next_destination[owner(vertex)]++] = end;
        replies_.ends[next_source[owner(end.at)]++] = {vertex, end.weight};
    });
}

} // namespace topo::detail
