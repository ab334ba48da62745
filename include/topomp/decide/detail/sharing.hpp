// SPDX-License-Identifier: BSL-1.0
/// @file
/// What verbs need to have a tuning file read.
#pragma once

#include <topomp/decide/detail/decide.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace topo::detail {

/// The ranks of two nodes, and a communicator and a tag for messages between them.
struct two_nodes {
    MPI_Comm comm = MPI_COMM_NULL;
    int tag = 0;
    std::span<const int> first, second; ///< ranks of `comm`; rank 0 is the first of the first. None: one node
};

/// The communication of the ranks that read a file together.
struct sharing {
    int rank = 0;
    std::function<void(void*, std::size_t)> broadcast{}; ///< bytes, from rank 0
    std::function<std::int64_t(std::int64_t)> lowest{};  ///< of all ranks' values
    /// Where a probe can send. @collective over the ranks; null: these have no nodes
    std::function<two_nodes()> between{};
};

/// `read_sources`, if the program has it: if it links topomp::compiled, or if a file of it includes
/// decide/tuning.hpp. Null: TOPOMP_TUNING is not read. A verb alone does not compile the reader.
using sources_reader = cost_sources (*)(const sharing& ranks, const std::string& where,
                                        const std::string& what);
inline sources_reader reader_of_sources = nullptr;

/// The value of TOPOMP_TUNING with which messages between two nodes are measured at the start.
inline constexpr std::string_view probe_tuning = "probe";

/// The value of TOPOMP_TUNING with which the preload library learns from the calls of a program, and whether
/// it is this library that reads.
inline constexpr std::string_view adaptive_tuning = "adaptive";
inline bool has_adaptive_calls = false;

/// Writes one line to standard error, once for equal lines.
void say_once(const std::string& line);

} // namespace topo::detail
