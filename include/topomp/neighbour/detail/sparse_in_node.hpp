// SPDX-License-Identifier: BSL-1.0
/// @file
/// A sparse exchange through the memory of a node.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>

namespace topo::detail {

/// Maps the memory, if there is none yet: exchanges that do not wait have it mapped, so that a blocking one
/// asks for nothing while another rank waits for these. @collective over the whole the first time
void prepare_sparse_in_node(const hierarchy& levels);

/// If all ranks share memory, all write there how much each has for each, and then the blocks.
/// @return whether they do, the same on all ranks; else nothing was exchanged @collective over the whole
bool sparse_exchange_in_node(const char* call, const hierarchy& levels, const sparse_sends& sent,
                             const sparse_result& result);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_in_node.ipp>
#endif
