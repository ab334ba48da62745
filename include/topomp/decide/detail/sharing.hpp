// SPDX-License-Identifier: BSL-1.0
/// @file
/// What verbs need to have a tuning file read.
#pragma once

#include <topomp/decide/detail/decide.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace topo::detail {

/// How the ranks that read a file together tell each other.
struct sharing {
    int rank = 0;
    std::function<void(void*, std::size_t)> broadcast{}; ///< bytes, from rank 0
    std::function<std::int64_t(std::int64_t)> lowest{};  ///< of all ranks' values
    /// Rank 0: the seconds of a short message to another node, found in at most 0.1 s; 0: there is no other
    /// node.
    /// @collective over the ranks; null: they cannot find out
    std::function<double()> message_between_nodes{};
};

/// `read_sources`, if the program has it: if it links topomp::compiled, or if a file of it includes
/// decide/tuning.hpp. Null: TOPOMP_TUNING is not read. A verb alone does not compile the reader.
using sources_reader = cost_sources (*)(const sharing& ranks, const std::string& where,
                                        const std::string& what);
inline sources_reader reader_of_sources = nullptr;

/// The value of TOPOMP_TUNING with which the nearest usual network is found out at the start.
inline constexpr std::string_view probe_tuning = "probe";

/// The value of TOPOMP_TUNING with which the preload library learns from the calls of a program, and whether
/// it is this library that reads.
inline constexpr std::string_view adaptive_tuning = "adaptive";
inline bool has_adaptive_calls = false;

/// Writes one line to standard error, once for equal lines.
void say_once(const std::string& line);

} // namespace topo::detail
