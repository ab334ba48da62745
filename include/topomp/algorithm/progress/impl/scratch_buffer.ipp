// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace topo::detail {

TOPOMP_INLINE void scratch_buffer::reserve(std::size_t bytes) {
    if (bytes <= bytes_ && data_ != nullptr) return;
    bytes = std::max<std::size_t>(bytes, 1);
    data_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    bytes_ = bytes;
}

} // namespace topo::detail
