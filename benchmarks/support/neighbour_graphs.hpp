// SPDX-License-Identifier: BSL-1.0
/// @file
/// Who exchanges blocks with whom in the neighbour verbs, and the MPI's own exchange.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace topo_bench {

/// To which ranks a rank sends, and from which it receives: the same, ascending.
using graph = std::vector<int> (*)(int ranks, int rank);

/// All cells at most one step away along each dimension of a periodic grid, or along one dimension only.
template <int Dimensions, bool HasCorners>
std::vector<int> stencil(int ranks, int rank) {
    std::vector<int> extents(Dimensions);
    MPI_Dims_create(ranks, Dimensions, extents.data());
    std::set<int> found;
    const int steps = static_cast<int>(std::lround(std::pow(3, Dimensions)));
    for (int step = 0; step < steps; ++step) {
        int rest = step, cell = rank, scale = 1, neighbour = 0, moved = 0;
        for (std::size_t i = extents.size(); i-- > 0; rest /= 3) {
            const int by = rest % 3 - 1, at = cell % extents[i];
            moved += by != 0 ? 1 : 0;
            neighbour += (at + by + extents[i]) % extents[i] * scale;
            cell /= extents[i];
            scale *= extents[i];
        }
        if (moved == 1 || (HasCorners && moved > 0)) found.insert(neighbour);
    }
    found.erase(rank);
    return {found.begin(), found.end()};
}

/// Links from every rank to others that are drawn with a probability that falls with their number: few ranks
/// have very many.
inline std::vector<int> power_law(int ranks, int rank) {
    std::mt19937 random{1};
    std::set<int> found;
    for (int i = 0; i < 8 * ranks; ++i) {
        const auto drawn = [&] { return (static_cast<double>(random()) + 1) / 4294967297.0; };
        const int from = static_cast<int>(drawn() * ranks);
        const int to = static_cast<int>(std::pow(ranks, drawn())) - 1;
        // numbers far from each other are on other nodes
        const int spread = static_cast<int>((static_cast<long long>(to) * 7919) % ranks);
        if (from == rank) found.insert(spread);
        if (spread == rank) found.insert(from);
    }
    found.erase(rank);
    return {found.begin(), found.end()};
}

/// The neighbours of the calling rank, as topomp and as the MPI know them.
class neighbour_links {
public:
    /// @param levels of all ranks, or of the calling one: then topomp knows none @collective over `comm`
    neighbour_links(const topo::hierarchy& levels, MPI_Comm comm, graph which, topo::neighbour_route route)
        : ranks_(which(topo::mpi::comm_size(comm), topo::mpi::comm_rank(comm))), comm_(comm),
          places_(ranks_.size()) {
        if (levels.whole_size() == topo::mpi::comm_size(comm)) ours_.emplace(levels, ranks_, ranks_, route);
        std::vector<int> mine(ranks_.size());
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = static_cast<int>(i);
        linear(mine.data(), sizeof(int), places_.data(), sizeof(int));
#ifndef SMPI_H
        const int count = static_cast<int>(ranks_.size());
        MPI_Dist_graph_create_adjacent(comm, count, ranks_.data(), MPI_UNWEIGHTED, count, ranks_.data(),
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph_);
#endif
    }
    ~neighbour_links() {
        if (graph_ != MPI_COMM_NULL) MPI_Comm_free(&graph_);
    }
    neighbour_links(const neighbour_links&) = delete;
    neighbour_links& operator=(const neighbour_links&) = delete;

    const std::vector<int>& ranks() const { return ranks_; }
    const topo::neighbourhood& ours() const { return *ours_; }
    /// Which of a neighbour's blocks is for this rank.
    std::size_t place_at(std::size_t neighbour) const { return static_cast<std::size_t>(places_[neighbour]); }

    /// The MPI's own exchange of blocks of so many bytes; SimGrid's has none.
    void all_to_all(const void* out, void* in, std::size_t bytes) const {
#ifdef SMPI_H
        linear(out, bytes, in, bytes);
#else
        const int count = static_cast<int>(bytes);
        MPI_Neighbor_alltoall(out, count, MPI_BYTE, in, count, MPI_BYTE, graph_);
#endif
    }
    void all_gather(const void* out, void* in, std::size_t bytes) const {
#ifdef SMPI_H
        linear(out, 0, in, bytes);
#else
        const int count = static_cast<int>(bytes);
        MPI_Neighbor_allgather(out, count, MPI_BYTE, in, count, MPI_BYTE, graph_);
#endif
    }

private:
    /// What Open MPI (coll/basic) and MPICH (sched_linear) do: all receives and all sends at once, one for
    /// each neighbour. @param step bytes from one block to the next one that is sent
    void linear(const void* out, std::size_t step, void* in, std::size_t bytes) const {
        std::vector<MPI_Request> requests(2 * ranks_.size());
        const int count = static_cast<int>(bytes);
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            MPI_Irecv(static_cast<std::byte*>(in) + i * bytes, count, MPI_BYTE, ranks_[i], 0, comm_,
                      &requests[i]);
        for (std::size_t i = 0; i < ranks_.size(); ++i)
            MPI_Isend(static_cast<const std::byte*>(out) + i * step, count, MPI_BYTE, ranks_[i], 0, comm_,
                      &requests[ranks_.size() + i]);
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }

    std::vector<int> ranks_;
    MPI_Comm comm_, graph_ = MPI_COMM_NULL;
    std::optional<topo::neighbourhood> ours_;
    std::vector<int> places_;
};

} // namespace topo_bench
