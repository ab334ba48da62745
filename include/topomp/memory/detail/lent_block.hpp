// SPDX-License-Identifier: BSL-1.0
/// @file
/// The place of a block of an arena, as plain numbers.
#pragma once

#include <cstddef>

namespace topo::detail {

/// Bytes of a range that are taken.
struct taken_bytes {
    std::size_t begin = 0; ///< of all that is taken
    std::size_t data = 0;  ///< a multiple of the alignment
    std::size_t end = 0;
};

/// The place of an arena's block.
struct lent_block {
    std::size_t where = 0; ///< which chunk
    taken_bytes part;
};

} // namespace topo::detail
