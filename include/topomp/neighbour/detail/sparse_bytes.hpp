// SPDX-License-Identifier: BSL-1.0
/// @file
/// A sparse exchange of bytes.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Bytes for a rank, or from one.
struct sparse_block {
    int rank = 0;
    std::vector<std::byte> bytes;
};

/// @param sent at most one for each rank @return by ascending rank @collective over the whole
std::vector<sparse_block> sparse_exchange(const hierarchy& levels, std::vector<sparse_block> sent,
                                          neighbour_route route);

/// Refuses what a rank with another type of values has sent.
/// @param source who has sent so many bytes @param each bytes of a value, or of an element of one
void require_sent_length(int source, std::size_t bytes, std::size_t each, bool fits);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_bytes.ipp>
#endif
