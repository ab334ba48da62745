// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_members.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <memory>
#include <utility>

namespace topo {

TOPOMP_INLINE level_members::level_members(boost::mpi::communicator comm, level_info info,
                                           arena* const& memory)
    : comm_(std::move(comm)), info_(std::move(info)), rank_(comm_.rank()), size_(comm_.size()),
      memory_(&memory) {}

TOPOMP_INLINE arena* level_members::node_memory() const {
    if (*memory_ == nullptr) return nullptr;
    int result = MPI_UNEQUAL;
    mpi::check(MPI_Comm_compare((*memory_)->comm(), comm_, &result), "MPI_Comm_compare", "ranks of a node");
    return result == MPI_CONGRUENT ? *memory_ : nullptr;
}

TOPOMP_INLINE std::shared_ptr<detail::background_slot> level_members::background() const {
    return *memory_ == nullptr ? nullptr : (*memory_)->background();
}

} // namespace topo
