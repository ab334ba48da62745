// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp run`: an MPI program that is not compiled for topomp, under the preload library.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace topo::tool {

/// The command line of `topomp run`, in its words.
struct run_request {
    std::vector<std::string> command; ///< a launcher with what it launches, or the program itself
    std::optional<std::string> parts, verbs, policy, tuning, machine, place; ///< variables to set
    bool with_nonblocking = false;
    bool with_report = false;
    bool is_only_shown = false; ///< print the command line instead
};

/// The preload library: beside this command in the build tree, or where both are installed. @throws
/// system_error
std::filesystem::path preload_library();

/// Becomes the command. Where it begins with the MPI's launcher, this is told to set the variables for the
/// ranks, on all hosts; else they are set for the command, and srun is told to hand
/// them on where it would not. With a report it waits for the command instead,
/// and says so if no report came.
/// @return the exit code, where it did not become the command @throws system_error if there is no library or
/// no command
int run(const run_request& request);

} // namespace topo::tool
