// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block as bytes.
#pragma once

#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

/// Copies the data of a block, in the order in which MPI sends them, without gaps. Local.
void pack_block(const message& from, std::byte* to);
void unpack_block(const std::byte* from, const message& to);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/block_bytes.ipp>
#endif
