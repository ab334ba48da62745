// SPDX-License-Identifier: BSL-1.0
/// @file
/// A sparse exchange of bytes.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <cstddef>

namespace topo {
class request;
}

namespace topo::detail {

/// @collective over the whole
void sparse_exchange(const hierarchy& levels, sparse_sends sent, neighbour_route route, sparse_result result);

/// The same without waiting.
request isparse_exchange(const hierarchy& levels, sparse_sends sent, neighbour_route route,
                         sparse_result result);

/// Refuses what a rank with another type of values has sent.
/// @param source the rank that has sent so many bytes @param each bytes of a value, or of an element of one
void require_sent_length(const char* call, int source, std::size_t bytes, std::size_t each, bool fits);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_bytes.ipp>
#endif
