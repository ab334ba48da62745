// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/rounds/exchanged_blocks.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE std::byte* exchanged_blocks::at(int number, int rank, std::size_t element_bytes) const {
    return of(window, number) + static_cast<std::size_t>(rank) * count * element_bytes;
}

} // namespace topo::detail
