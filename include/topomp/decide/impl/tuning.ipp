// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/decide/tuning.hpp>

#include <boost/mpi/communicator.hpp>

#include <string>

namespace topo::detail {

/// A program of which a file includes decide/tuning.hpp, or that links topomp::compiled, reads TOPOMP_TUNING.
inline const bool reads_tuning = (reader_of_sources = &read_sources_or_say, true);

} // namespace topo::detail

namespace topo::tuning {

TOPOMP_INLINE bool load(const boost::mpi::communicator& comm, const std::string& file) {
    const auto found = detail::read_sources_or_say(detail::sharing_over(comm), "topo::tuning::load", file);
    if (found.is_empty()) return false;
    detail::loaded_sources::now().add(found);
    return true;
}

TOPOMP_INLINE bool load(const std::string& file) { return load(boost::mpi::communicator{}, file); }

TOPOMP_INLINE void unload() { detail::loaded_sources::now().clear(); }

} // namespace topo::tuning
