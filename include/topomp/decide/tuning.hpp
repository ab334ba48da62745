// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where `automatic` has its costs from.
#pragma once

#include <boost/mpi/communicator.hpp>

#include <string>

namespace topo::tuning {

/// From now on `automatic` decides by a file: by times that `topomp tune` measured, or by what messages cost,
/// as `topomp measure` found it. It counts for all hierarchies and all forms of calls, and more than what
/// TOPOMP_TUNING says. Rank 0 reads the file, and all ranks get its text.
///
/// What was loaded before of the other kind stays: what a tuning file lacks comes from what messages cost.
///
/// Lines that cannot be used are left out. A file of which nothing can be used, such as one of another
/// machine, changes nothing. In both cases rank 0 writes one line to standard error.
/// @param comm all ranks of all hierarchies that are used afterwards
/// @param file a name, or several with commas between them
/// @return whether some file is used, on all ranks the same
/// @collective over `comm`, outside of other collectives of the library
/// @see docs/tuning.md
bool load(const boost::mpi::communicator& comm, const std::string& file);

/// The same of all ranks of the program.
bool load(const std::string& file);

/// `automatic` forgets what was loaded. Must be called on all ranks. Local.
void unload();

} // namespace topo::tuning

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/tuning.ipp>
#endif
