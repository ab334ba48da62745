// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp tune`.
#pragma once

#include <topomp/decide/detail/tuning_file.hpp>

#include <optional>
#include <string>
#include <vector>

namespace topo::tool {

struct tune_request {
    double minutes = 10;
    std::string output = "topomp.tuning";
    std::vector<std::string> verbs, bytes; ///< empty: all
    std::optional<std::string> machine;    ///< a made-up one
    bool is_ordered = false, again = false;
};

/// Measures on all ranks of the run, and writes as it goes. @collective
void tune_running(const tune_request& request);

/// A tuning file of any machine; what is wrong with some lines goes to standard error.
/// @throws input_error if it is none
detail::tuning_file read_tuning(const std::string& file);

/// A table, and how much the best plan gains over the MPI's own.
std::string tuning_table(const detail::tuning_file& file);

} // namespace topo::tool
