// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_members.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>

#include <utility>

namespace topo {

TOPOMP_INLINE level_members::level_members(boost::mpi::communicator comm, level_info info,
                                           arena* const& memory, detail::in_flight& running)
    : comm_(std::move(comm)), info_(std::move(info)), rank_(comm_.rank()), size_(comm_.size()),
      memory_(&memory), running_(&running) {}

} // namespace topo
