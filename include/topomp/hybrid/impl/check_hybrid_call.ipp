// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE std::size_t number_of_groups(const hierarchy& levels, const boost::mpi::communicator& sharers) {
    return copy_groups::number_of(levels, sharers);
}

TOPOMP_INLINE bool is_in_own_group(const hierarchy& levels, const boost::mpi::communicator& sharers,
                                   int rank) {
    auto& groups = copy_groups::of(levels, sharers);
    return groups.seat_of(rank).group == groups.group();
}

} // namespace topo::detail
