// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE level::level(boost::mpi::communicator comm, boost::mpi::communicator roots, level_info info)
    : comm_(std::move(comm)), roots_(std::move(roots)), info_(std::move(info)) {
    if (mpi::is_running()) detail::finalize_hook::watch();
}

TOPOMP_INLINE std::ostream& operator<<(std::ostream& out, const level& l) {
    return out << l.info() << ", rank " << l.rank() << " of " << l.size();
}

TOPOMP_INLINE const level& level::open(const char* member) const {
    detail::require_usable(static_cast<bool>(comm_), "topo::level", member);
    return *this;
}

TOPOMP_INLINE std::optional<level_info> level_info_of(MPI_Comm comm) {
    mpi::require_intracommunicator("topo::level_info_of", comm);
    const auto* memory = detail::split_attribute::find(comm);
    return memory != nullptr ? std::optional{memory->info} : std::nullopt;
}

} // namespace topo
