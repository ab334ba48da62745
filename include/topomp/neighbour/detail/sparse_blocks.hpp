// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a sparse exchange sends and gets, as bytes.
#pragma once

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
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

/// What has come from a rank.
struct sparse_view {
    int rank = 0;
    std::span<const std::byte> bytes;
};

/// Where an exchange puts what has come. @param came by ascending rank
struct sparse_result {
    void* into;
    void (*unpack)(const char* call, MPI_Comm comm, std::span<const sparse_view> came, void* into);
};

inline constexpr std::size_t longest_sparse = std::numeric_limits<int>::max(); ///< that MPI can express

/// Why a rank's blocks cannot be sent, as the other ranks are told: the first that has no possible
/// destination or length.
struct sparse_problem {
    std::int64_t is_any = 0, destination = 0, bytes = 0; ///< -1 bytes: values that throw

    static sparse_problem of(const sparse_sends& sent, int ranks);
};

/// Throws what the calling rank's values threw, or why its blocks or those of the lowest rank that has such
/// cannot be sent. @param mine,told the problems of the calling rank and of that one
[[noreturn]] void refuse_sparse(const char* call, int ranks, const sparse_sends& sent,
                                const sparse_problem& mine, const sparse_problem& told, int lowest);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_blocks.ipp>
#endif
