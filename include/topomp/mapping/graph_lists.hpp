// SPDX-License-Identifier: BSL-1.0
/// @file
/// Messages of neighbour lists: from the ranks to one of them, and back to the ranks that need them.
#pragma once

#include <topomp/core/error.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
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
/// for each neighbour, or they add up to more than 2^60
std::vector<graph_end> ends_of(std::string_view call, std::span<const int> neighbours,
                               std::span<const std::int64_t> weights, int size);

/// How many numbers of 64 bits some links take in a message.
/// @throws argument_error if an int cannot count them
int numbers_in(std::string_view call, std::size_t links);

/// Lists of ends, one behind the other.
struct graph_lists {
    std::vector<graph_end> ends;
    std::vector<int> counts, starts; ///< of each list, in numbers of 64 bits

    std::span<const graph_end> operator[](std::size_t i) const;
    /// Allocates lists of these lengths. @throws argument_error if they are too long for a message
    void resize(std::string_view call, std::span<const std::size_t> lengths);
};

/// Every rank's list on rank 0, where @p lists is large enough for them. @collective over `comm`
void gather_lists(std::span<const graph_end> mine, graph_lists& lists, MPI_Comm comm);

/// The reverse: each rank's list from rank 0. @collective over `comm`
void scatter_lists(const graph_lists& lists, std::span<graph_end> mine, MPI_Comm comm);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/graph_lists.ipp>
#endif
