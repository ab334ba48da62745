// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/serialized.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE blocks gathered_archives::make_room(std::span<const int> ranks,
                                                  std::span<const std::size_t> sizes) {
    counts.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        counts[static_cast<std::size_t>(ranks[i])] = sizes[i];
    return make_room(std::move(counts));
}

TOPOMP_INLINE blocks gathered_archives::make_room(std::vector<std::size_t> sizes) {
    counts = std::move(sizes);
    positions.resize(counts.size());
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        positions[rank] = next;
        next += counts[rank];
    }
    bytes.resize(next);
    return all();
}

TOPOMP_INLINE void gathered_archives::begin_one() { positions.push_back(bytes.size()); }
TOPOMP_INLINE void gathered_archives::end_one() { counts.push_back(bytes.size() - positions.back()); }

} // namespace topo::detail
