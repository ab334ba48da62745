// SPDX-License-Identifier: BSL-1.0
/// @file
/// One level at a time: the next level below a communicator, or the level of a kind.
#pragma once

#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <optional>

namespace topo {

/// The next level below a communicator and its roots communicator; nothing on ranks that no smaller object
/// contains.
///
/// Every new communicator is a strict subset of `comm`, so that calling this again on what it returned ends.
/// A communicator that came out of a split is split further by the places found then, whatever the options.
/// @collective over `comm`
/// @cost three splits, three all-reduces, some broadcasts; memory independent of the number of ranks
/// @throws as `discover_place`
/// @see paper 1, sections 3.2.1 to 3.2.3 (`MPI_Comm_hsplit_with_roots`)
std::optional<level> split_with_roots(const boost::mpi::communicator& comm,
                                      const hierarchy_options& options = {});

/// The same without the roots communicator: `roots()` is null on every rank.
std::optional<level> split(const boost::mpi::communicator& comm, const hierarchy_options& options = {});

/// A split by one kind: the ranks of `comm` that share the calling rank's innermost object of this kind;
/// nothing on ranks that no such object contains.
///
/// Unlike the next level it need not be a strict subset: on one node, `split(world, kind::machine)` is all of
/// `world`, so that programs need no special case.
/// @collective over `comm`, with the same kind
std::optional<level> split(const boost::mpi::communicator& comm, kind wanted,
                           const hierarchy_options& options = {});

/// The same for raw communicators.
std::optional<level> split_with_roots(MPI_Comm comm, const hierarchy_options& options = {});
/// The same.
std::optional<level> split(MPI_Comm comm, const hierarchy_options& options = {});
/// The same by one kind.
std::optional<level> split(MPI_Comm comm, kind wanted, const hierarchy_options& options = {});

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/split.ipp>
#endif
