// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the user of the preload library asks for, in environment variables.
#pragma once

#include <topomp/plan/detail/algorithm.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::preload {

/// The collectives of neighbours.
enum class neighbour_call { all_gather, all_gatherv, all_to_all, all_to_allv, all_to_allw };

/// How many collectives there are, of neighbours too, and how many with their non-blocking forms.
inline constexpr std::size_t number_of_blocking_verbs = 15, number_of_neighbour_calls = 5;
inline constexpr std::size_t number_of_verbs = 2 * (number_of_blocking_verbs + number_of_neighbour_calls) + 1;

/// The collectives in MPI's words.
inline constexpr std::array<std::string_view, number_of_verbs> verb_names{
    // In the order of `detail::verb`.
    "barrier", "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "scatterv", "allgather",
    "allgatherv", "alltoall", "alltoallv", "reduce_scatter", "scan", "exscan",
    // Their non-blocking forms.
    "ibarrier", "ibcast", "ireduce", "iallreduce", "igather", "igatherv", "iscatter", "iscatterv",
    "iallgather", "iallgatherv", "ialltoall", "ialltoallv", "ireduce_scatter", "iscan", "iexscan",
    // Those of neighbours, and their non-blocking forms.
    "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
    "neighbor_alltoallw", "ineighbor_allgather", "ineighbor_allgatherv", "ineighbor_alltoall",
    "ineighbor_alltoallv", "ineighbor_alltoallw",
    // Which is no verb of topomp's.
    "alltoallw"};
static_assert(static_cast<std::size_t>(detail::verb::exclusive_scan) + 1 == number_of_blocking_verbs);

inline constexpr std::size_t all_to_allw_line = number_of_verbs - 1;

constexpr std::size_t index_of(detail::verb what) { return static_cast<std::size_t>(what); }

constexpr std::size_t index_of(neighbour_call what) {
    return 2 * number_of_blocking_verbs + static_cast<std::size_t>(what);
}

/// Of the non-blocking form.
constexpr std::size_t background_index_of(detail::verb what) {
    return number_of_blocking_verbs + index_of(what);
}
constexpr std::size_t background_index_of(neighbour_call what) {
    return number_of_neighbour_calls + index_of(what);
}

/// When topomp serves non-blocking collectives: never; where the program asked MPI for threads; or also else,
/// for which the library then asks.
enum class background_wish { never, with_threads, always };

/// The environment variables that the library reads, as the first rank of the program has them.
struct environment {
    std::string parts, verbs, policy, machine, place, report, nonblocking, tuning;

    static environment read();
    /// What the calling rank itself has, before there is MPI.
    static background_wish own_wish();
    /// The same on all ranks: those of rank 0 of MPI_COMM_WORLD. @collective over MPI_COMM_WORLD
    void share();
};

/// What these say.
struct settings {
    bool has_collectives = true;
    bool has_grids = true;
    bool has_dims_create = false;
    std::bitset<number_of_verbs> verbs = std::bitset<number_of_verbs>{}.set();
    std::string machine; ///< a made-up one; empty: the real one
    bool is_round_robin = false;
    bool reports = false;
    background_wish nonblocking = background_wish::with_threads;
};

/// Reads the variables but for the policy. A value that is none of those accepted counts as not set.
/// @param complaints gets a line for each of these
settings read_settings(const environment& variables, std::vector<std::string>& complaints);

} // namespace topo::preload
