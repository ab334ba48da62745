// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks share memory.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>

#include <string>

namespace topo::detail {

/// The ranks of the calling rank's node, on a communicator of their own: those of its outermost level that is
/// a machine, only itself if there is none, and of these those that really share memory with it.
/// @collective over the whole @cost two splits
boost::mpi::communicator ranks_of_node(const hierarchy& levels);

/// What the ranks of a node share, by name.
std::string name_of_node(const hierarchy& levels);

/// Of the ranks of a node, those that are in the same NUMA node as the calling rank; if it is in none, those
/// that are in none, on a communicator of their own. @collective over `node` @cost a split
boost::mpi::communicator ranks_of_numa_node(const hierarchy& levels, const boost::mpi::communicator& node);

std::string name_of_numa_node(const hierarchy& levels);

/// The ranks of a level, on a communicator of their own.
/// @collective over the level @cost a split and an all-reduce
/// @throws argument_error, on every rank, if not all of them share memory
boost::mpi::communicator ranks_of_level(const level& where);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/node_ranks.ipp>
#endif
