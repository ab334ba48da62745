// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/relate.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE containment contained(MPI_Comm small, MPI_Comm large) {
    std::vector<int> ranks(static_cast<std::size_t>(mpi::comm_size(small)));
    std::iota(ranks.begin(), ranks.end(), 0);
    ranks = translate(ranks, small, large);
    if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return containment::none;
    return std::ranges::is_sorted(ranks) ? containment::same_order : containment::any_order;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE relation relate(MPI_Comm first, MPI_Comm second) {
    mpi::require_intracommunicator("topo::relate", first);
    mpi::require_intracommunicator("topo::relate", second);
    int result = MPI_UNEQUAL;
    mpi::check(MPI_Comm_compare(first, second, &result), "MPI_Comm_compare", "two communicators");
    if (result == MPI_IDENT) return relation::identical;
    if (result == MPI_CONGRUENT) return relation::congruent;
    if (result == MPI_SIMILAR) return relation::similar;
    const bool is_smaller = mpi::comm_size(first) < mpi::comm_size(second);
    switch (is_smaller ? detail::contained(first, second) : detail::contained(second, first)) {
    case detail::containment::same_order:
        return is_smaller ? relation::strict_sub : relation::strict_super;
    case detail::containment::any_order:
        return is_smaller ? relation::sub : relation::super;
    default:
        return relation::unequal;
    }
}

} // namespace topo
