// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a sparse exchange sends and gets, as bytes.
#pragma once

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace topo::detail {

/// Bytes for a rank, or from one.
struct sparse_block {
    int rank = 0;
    std::vector<std::byte> bytes;
};

/// What the calling rank sends.
struct sparse_sends {
    std::vector<sparse_block> blocks; ///< at most one for each rank
    std::exception_ptr problem;       ///< why there are no blocks; null: there are
};

/// Where an exchange puts what has come. @param came by ascending rank
struct sparse_result {
    void* into;
    void (*unpack)(const char* call, MPI_Comm comm, std::span<const sparse_block> came, void* into);
};

} // namespace topo::detail
