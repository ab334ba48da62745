// SPDX-License-Identifier: BSL-1.0
/// @file
/// The calling rank's real place.
#pragma once

#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/options.hpp>

#include <boost/mpi/communicator.hpp>

namespace topo {

/// Where the calling rank may run, on the real machine: the switches above its node, the node, and the
/// objects inside that contain its whole binding, as it is now.
///
/// A node is what shares memory (`MPI_COMM_TYPE_SHARED`), not what has the same name; its number is its
/// root's rank in `comm`. Only the node's root looks up the switches.
/// @collective over `comm`
/// @cost a split, an all-reduce, and two broadcasts inside the node; memory independent of the number of
/// ranks. In the first call of a process hwloc reads the machine, which takes milliseconds
/// @throws on every rank what any rank met: system_error (hwloc, files), argument_error (a host unknown to
/// the network), input_error (malformed network data)
place discover_place(const boost::mpi::communicator& comm, const hierarchy_options& options = {});

/// The same for a raw communicator.
place discover_place(MPI_Comm comm, const hierarchy_options& options = {});

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/discover.ipp>
#endif
