// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE segments::segments(std::size_t elements, std::size_t element_size, std::size_t bytes)
    : count(elements) {
    constexpr std::size_t most = std::size_t{1} << 30; // elements, and bytes: some MPIs count these in an int
    const std::size_t limit = std::max<std::size_t>(1, most / std::max<std::size_t>(1, element_size));
    const std::size_t wanted = bytes == 0 ? limit : bytes / std::max<std::size_t>(1, element_size);
    per_segment = std::clamp<std::size_t>(wanted, 1, limit);
    number = (count + per_segment - 1) / per_segment;
}

TOPOMP_INLINE segments segments::signal() {
    segments one;
    one.number = 1;
    return one;
}

TOPOMP_INLINE int segments::length(std::size_t segment) const {
    return static_cast<int>(std::min(per_segment, count - std::min(count, first(segment))));
}

} // namespace topo::detail
