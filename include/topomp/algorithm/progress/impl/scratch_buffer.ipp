// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/handle.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void scratch_buffer::reserve(std::size_t bytes) {
    if (bytes <= bytes_ && data_) return;
    bytes = std::max<std::size_t>(bytes, 1);
    data_ = handle<bytes_on_heap>::adopt(new std::byte[bytes]);
    bytes_ = bytes;
}

} // namespace topo::detail
