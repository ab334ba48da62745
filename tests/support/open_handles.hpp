// SPDX-License-Identifier: BSL-1.0
/// @file
/// How many MPI handles this rank made and has not freed: a test takes the number before and after.
#pragma once

namespace topo_test {

/// Handles that were made since the program started and not freed, by kind.
struct open_handles {
    int communicators = 0;
    int groups = 0;
    int keyvals = 0;
    int windows = 0;

    friend bool operator==(const open_handles&, const open_handles&) = default;
};

/// The handles of this rank that are open now. Only mpi_tests counts, by standing in for the functions of the
/// MPI.
open_handles count_open_handles();

} // namespace topo_test
