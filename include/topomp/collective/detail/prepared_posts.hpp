// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent forms that go through the memory of one node.
#pragma once

#include <topomp/collective/detail/prepared.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/config.hpp>

#include <memory>

namespace topo::detail {

/// Whether all ranks are in one node, few enough, and such operands short enough, for `prepare_posts`.
/// @collective over the whole the first time
bool take_posts(const hierarchy& levels, const message& operands);

/// An all_reduce, of no bytes a barrier, by `posted_all_reduce`. @return null, on every rank, if the node has
/// no memory left @pre `take_posts` @collective over the whole
std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const void* input, const message& result,
                                        MPI_Op op, const char* call);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/prepared_posts.ipp>
#endif
