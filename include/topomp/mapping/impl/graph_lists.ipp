// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/mapping/graph_lists.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<graph_end> ends_of(std::string_view call, std::span<const int> neighbours,
                                             std::span<const std::int64_t> weights, int size) {
    if (!weights.empty() && weights.size() != neighbours.size())
        throw argument_error(call, std::to_string(weights.size()) + " weights",
                             "there are " + std::to_string(neighbours.size()) + " neighbours");
    std::vector<graph_end> ends;
    std::unordered_map<int, std::size_t> known;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const int neighbour = neighbours[i];
        const std::int64_t weight = weights.empty() ? 1 : weights[i];
        const std::string object = "neighbour " + std::to_string(neighbour);
        if (neighbour < 0 || neighbour >= size)
            throw argument_error(call, object, "the communicator has " + std::to_string(size) + " ranks");
        if (weight < 1)
            throw argument_error(call, object, "weight " + std::to_string(weight) + " is not positive");
        if (weight > (std::int64_t{1} << 60) - sum)
            throw argument_error(call, object, "weights add up to more than 2^60");
        sum += weight;
        const auto [at, is_new] = known.emplace(neighbour, ends.size());
        if (is_new)
            ends.push_back({neighbour, weight});
        else
            ends[at->second].weight += weight;
    }
    return ends;
}

TOPOMP_INLINE int numbers_in(std::string_view call, std::size_t links) {
    if (links > static_cast<std::size_t>(std::numeric_limits<int>::max()) / numbers_in_end)
        throw argument_error(call, std::to_string(links) + " links", "more than a message can carry");
    return static_cast<int>(numbers_in_end * links);
}

TOPOMP_INLINE std::span<const graph_end> graph_lists::operator[](std::size_t i) const {
    return std::span{ends}.subspan(static_cast<std::size_t>(starts[i]) / numbers_in_end,
                                   static_cast<std::size_t>(counts[i]) / numbers_in_end);
}

TOPOMP_INLINE void graph_lists::resize(std::string_view call, std::span<const std::size_t> lengths) {
    std::size_t sum = 0;
    for (const std::size_t length : lengths) {
        starts.push_back(numbers_in(call, sum));
        counts.push_back(numbers_in(call, length));
        sum += length;
    }
    numbers_in(call, sum);
    ends.resize(sum);
}

TOPOMP_INLINE void gather_lists(std::span<const graph_end> mine, graph_lists& lists, MPI_Comm comm) {
    mpi::check(MPI_Gatherv(mine.data(), static_cast<int>(numbers_in_end * mine.size()), MPI_INT64_T,
                           lists.ends.data(), lists.counts.data(), lists.starts.data(), MPI_INT64_T, 0, comm),
               "MPI_Gatherv", "neighbours of all ranks");
}

TOPOMP_INLINE void scatter_lists(const graph_lists& lists, std::span<graph_end> mine, MPI_Comm comm) {
    mpi::check(MPI_Scatterv(lists.ends.data(), lists.counts.data(), lists.starts.data(), MPI_INT64_T,
                            mine.data(), static_cast<int>(numbers_in_end * mine.size()), MPI_INT64_T, 0,
                            comm),
               "MPI_Scatterv", "neighbours of each rank");
}

} // namespace topo::detail
