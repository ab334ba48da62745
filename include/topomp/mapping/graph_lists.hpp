// SPDX-License-Identifier: BSL-1.0
/// @file
/// Neighbour lists on their way: from the ranks to one of them, and back to the ranks that shall have them.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace topo::detail {

/// One end of a link as it is sent: the rank or vertex there, and the load.
struct graph_end {
    std::int64_t at = 0, weight = 1;
};
inline constexpr std::size_t numbers_in_end = 2; ///< of 64 bits
static_assert(sizeof(graph_end) == numbers_in_end * sizeof(std::int64_t));

/// A rank's neighbours, each once and in the order in which they first come, with the loads of all repeats.
///
/// @param weights of each neighbour; empty: 1
/// @throws argument_error if a neighbour is no rank of @p size, a weight is not positive, there is not one
/// for each neighbour, or they add up to more than 2^62
inline std::vector<graph_end> ends_of(std::string_view call, std::span<const int> neighbours,
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
        if (weight > (std::int64_t{1} << 62) - sum)
            throw argument_error(call, object, "weights add up to more than 2^62");
        sum += weight;
        const auto [at, is_new] = known.emplace(neighbour, ends.size());
        if (is_new)
            ends.push_back({neighbour, weight});
        else
            ends[at->second].weight += weight;
    }
    return ends;
}

/// How many numbers of 64 bits some links take in a message.
/// @throws argument_error if an int cannot count them
inline int numbers_in(std::string_view call, std::size_t links) {
    if (links > static_cast<std::size_t>(std::numeric_limits<int>::max()) / numbers_in_end)
        throw argument_error(call, std::to_string(links) + " links", "more than a message can carry");
    return static_cast<int>(numbers_in_end * links);
}

/// Lists of ends, one behind the other.
struct graph_lists {
    std::vector<graph_end> ends;
    std::vector<int> counts, starts; ///< of each list, in numbers of 64 bits

    std::span<const graph_end> operator[](std::size_t i) const {
        return std::span{ends}.subspan(static_cast<std::size_t>(starts[i]) / numbers_in_end,
                                       static_cast<std::size_t>(counts[i]) / numbers_in_end);
    }
    /// Makes room for lists of these lengths. @throws argument_error if they are too long for a message
    void resize(std::string_view call, std::span<const std::size_t> lengths) {
        std::size_t sum = 0;
        for (const std::size_t length : lengths) {
            starts.push_back(numbers_in(call, sum));
            counts.push_back(numbers_in(call, length));
            sum += length;
        }
        numbers_in(call, sum);
        ends.resize(sum);
    }
};

/// Every rank's list on rank 0, where @p lists has room for them. @collective over `comm`
inline void gather_lists(std::span<const graph_end> mine, graph_lists& lists, MPI_Comm comm) {
    mpi::check(MPI_Gatherv(mine.data(), static_cast<int>(numbers_in_end * mine.size()), MPI_INT64_T,
                           lists.ends.data(), lists.counts.data(), lists.starts.data(), MPI_INT64_T, 0, comm),
               "MPI_Gatherv", "neighbours of all ranks");
}

/// The reverse: each rank's list from rank 0. @collective over `comm`
inline void scatter_lists(const graph_lists& lists, std::span<graph_end> mine, MPI_Comm comm) {
    mpi::check(MPI_Scatterv(lists.ends.data(), lists.counts.data(), lists.starts.data(), MPI_INT64_T,
                            mine.data(), static_cast<int>(numbers_in_end * mine.size()), MPI_INT64_T, 0,
                            comm),
               "MPI_Scatterv", "neighbours of each rank");
}

} // namespace topo::detail
