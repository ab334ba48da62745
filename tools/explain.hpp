// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp explain`: what `automatic` decides for a call, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace topo::tool {

/// The command line of `topomp explain`, read.
struct explain_request {
    std::string verb = "all_reduce";
    std::vector<std::string> bytes{"8", "1K", "32K", "1M"}; ///< with K, M or G behind them: times 1024
    std::optional<std::string> machine;                     ///< a made-up one; else this one
    std::optional<int> ranks;                               ///< on that; a rank a core if not given
    std::string place = "core";                             ///< or "round-robin"
    std::optional<std::string> tuning;                      ///< as for `detail::names_in`
    bool is_ordered = false;                                ///< of an operation that does not commute
    bool has_no_memory = false; ///< as if the ranks of a node had no memory in common
};

/// A number of bytes as `1M`. @throws argument_error if it is none
std::size_t byte_count(const std::string& caller, const std::string& text);

/// Of the running program; collective over MPI_COMM_WORLD. Rank 0 prints.
void explain_running(const explain_request& request);

/// Of a machine that is described, or of this one; needs no MPI.
void explain_planned(const explain_request& request);

} // namespace topo::tool
