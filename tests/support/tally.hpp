// SPDX-License-Identifier: BSL-1.0
/// @file
/// What this rank has spent since the program started: bytes of operator new, collective calls.
#pragma once

#include <cstddef>

namespace topo_test {

/// Counted by support/tally.cpp, which stands in for operator new and for the MPI's functions.
struct tally {
    std::size_t bytes = 0;
    int splits = 0;    ///< and duplications
    int exchanges = 0; ///< collectives that give every rank a fixed amount
    int gathers = 0;   ///< collectives whose result grows with the number of ranks

    int collectives() const { return splits + exchanges + gathers; }
};

extern tally spent;

} // namespace topo_test
