// SPDX-License-Identifier: BSL-1.0
/// @file
/// A sparse exchange whose ranks first tell each other how much there is.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>

namespace topo::detail {

/// Maps the memory that is not mapped yet. Exchanges that do not wait do so, too: a blocking one behind them
/// then makes no collective call of MPI, in which they would not progress. @collective over the whole the
/// first time
void prepare_sparse_by_lengths(const hierarchy& levels);

/// An all-to-all of lengths and one of the blocks, both through the memory of nodes: if all ranks are in one
/// node, or if two messages for each pair of nodes take less time than the rounds in which all ranks of an
/// exchange without lengths meet.
/// @return whether it was so, the same on all ranks; else nothing was exchanged @collective over the whole
/// @throws usage_error if a sparse exchange of the hierarchy has failed on the calling rank
bool sparse_exchange_by_lengths(const char* call, const hierarchy& levels, const sparse_sends& sent,
                                const sparse_result& result);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_by_lengths.ipp>
#endif
