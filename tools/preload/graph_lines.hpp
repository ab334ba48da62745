// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the callers of Dist_graph_create(_adjacent) say of a graph.
#pragma once

#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace topo::preload {

/// Whom the calling rank's vertex sends to, and how much. MPI allows loads of 0: such edges do not count.
struct vertex_loads {
    std::vector<int> neighbours;
    std::vector<std::int64_t> weights;

    void add(int neighbour, std::int64_t weight) {
        if (weight == 0) return;
        neighbours.push_back(neighbour);
        weights.push_back(weight);
    }
};

/// Ranks and the loads to or from them.
struct neighbour_list {
    std::vector<int> ranks, weights;
    bool is_weighted = false;

    neighbour_list() = default;
    neighbour_list(int count, const int* given, const int* given_weights)
        : is_weighted(given_weights != MPI_UNWEIGHTED) {
        if (count <= 0 || given == nullptr) return;
        ranks.assign(given, given + count);
        if (is_weighted) weights.assign(given_weights, given_weights + count);
    }
    int count() const { return static_cast<int>(ranks.size()); }
    const int* weights_or_none() const {
        if (!is_weighted) return MPI_UNWEIGHTED;
        return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
    }
};

/// What a rank says of its vertex in Dist_graph_create_adjacent.
class adjacent_lines {
public:
    adjacent_lines(int in, const int* sources, const int* source_weights, int out, const int* destinations,
                   const int* destination_weights)
        : in_(in, sources, source_weights), out_(out, destinations, destination_weights) {}

    vertex_loads destinations_with_loads() const {
        vertex_loads loads;
        for (std::size_t i = 0; i < out_.ranks.size(); ++i)
            loads.add(out_.ranks[i], out_.is_weighted ? out_.weights[i] : 1);
        return loads;
    }

    /// What was said of the vertex that the calling rank is on the new communicator.
    /// @param comm the new one, on which nothing else sends @param old_rank the caller's number before, which
    /// is the vertex that it knows
    adjacent_lines of_vertex(MPI_Comm comm, int old_rank) const {
        constexpr int tag = 0;
        std::vector<int> mine = packed();
        MPI_Request request = MPI_REQUEST_NULL;
        mpi::check(
            MPI_Isend(mine.data(), static_cast<int>(mine.size()), MPI_INT, old_rank, tag, comm, &request),
            "MPI_Isend", "neighbours");
        MPI_Status status;
        int length = 0;
        mpi::check(MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status), "MPI_Probe", "neighbours");
        mpi::check(MPI_Get_count(&status, MPI_INT, &length), "MPI_Get_count", "neighbours");
        std::vector<int> theirs(static_cast<std::size_t>(length));
        mpi::check(MPI_Recv(theirs.data(), length, MPI_INT, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE),
                   "MPI_Recv", "neighbours");
        mpi::check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", "neighbours");
        return adjacent_lines{theirs};
    }

    void create(MPI_Comm comm, MPI_Info info, MPI_Comm* made) const {
        mpi::check(MPI_Dist_graph_create_adjacent(comm, in_.count(), in_.ranks.data(), in_.weights_or_none(),
                                                  out_.count(), out_.ranks.data(), out_.weights_or_none(),
                                                  info, 0, made),
                   "MPI_Dist_graph_create_adjacent", "graph");
    }

private:
    explicit adjacent_lines(const std::vector<int>& text) {
        const int* next = text.data();
        for (neighbour_list* const each : {&in_, &out_}) {
            const int count = *next++;
            each->is_weighted = *next++ != 0;
            each->ranks.assign(next, next + count);
            next += count;
            if (!each->is_weighted) continue;
            each->weights.assign(next, next + count);
            next += count;
        }
    }

    std::vector<int> packed() const {
        std::vector<int> text;
        for (const neighbour_list* const each : {&in_, &out_}) {
            text.push_back(each->count());
            text.push_back(each->is_weighted ? 1 : 0);
            text.insert(text.end(), each->ranks.begin(), each->ranks.end());
            text.insert(text.end(), each->weights.begin(), each->weights.end());
        }
        return text;
    }

    neighbour_list in_, out_;
};

/// The edges of the caller's vertex among those that any rank names in Dist_graph_create.
/// @param sources, destinations ranks that there are
/// @collective over `comm`, on which errors are returned @cost an all-to-all of an integer, and the edges
inline vertex_loads edges_of_caller(MPI_Comm comm, int nodes, const int* sources, const int* degrees,
                                    const int* destinations, const int* weights) {
    const auto size = static_cast<std::size_t>(mpi::comm_size(comm));
    std::vector<std::vector<int>> to(size);
    int next = 0;
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < degrees[i]; ++j, ++next) {
            auto& list = to[static_cast<std::size_t>(sources[i])];
            list.push_back(destinations[next]);
            list.push_back(weights == MPI_UNWEIGHTED ? 1 : weights[next]);
        }

    std::vector<int> sent, counts(size), begins(size), coming(size), places(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        begins[rank] = static_cast<int>(sent.size());
        counts[rank] = static_cast<int>(to[rank].size());
        sent.insert(sent.end(), to[rank].begin(), to[rank].end());
    }
    mpi::check(MPI_Alltoall(counts.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, comm), "MPI_Alltoall",
               "numbers of edges");
    std::exclusive_scan(coming.begin(), coming.end(), places.begin(), 0);
    std::vector<int> mine(static_cast<std::size_t>(places.back() + coming.back()));
    mpi::check(MPI_Alltoallv(sent.data(), counts.data(), begins.data(), MPI_INT, mine.data(), coming.data(),
                             places.data(), MPI_INT, comm),
               "MPI_Alltoallv", "edges");
    vertex_loads loads;
    for (std::size_t i = 0; i < mine.size(); i += 2)
        loads.add(mine[i], mine[i + 1]);
    return loads;
}

} // namespace topo::preload
