// SPDX-License-Identifier: BSL-1.0
/// @file
/// The blocks that ranks of two groups exchange.
#pragma once

#include <cstddef>

namespace topo::detail {

/// Where each rank of a group has a block for, or from, every rank of the whole.
struct exchanged_blocks {
    const void* window = nullptr;
    std::byte* (*of)(const void* window, int number) = nullptr; ///< finds those of a rank of the group
    std::size_t count = 0;                                      ///< elements of a block

    std::byte* at(int number, int rank, std::size_t element_bytes) const;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/exchanged_blocks.ipp>
#endif
