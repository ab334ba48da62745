// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/between_nodes.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool is_for_mpi(verb what, const hierarchy& groups, [[maybe_unused]] std::size_t bytes) {
    constexpr int few = 8;
    if (is_simulated || groups.whole().size() > few || !may_cross_nodes(groups.whole_info())) return false;
    constexpr std::size_t kib = 1024;
#ifdef MPICH_VERSION
    if (what == verb::broadcast) return bytes >= 4 * kib && bytes <= 16 * kib;
    if (what == verb::all_gatherv) return bytes <= 32 * kib || (bytes >= 128 * kib && bytes < 512 * kib);
    constexpr std::size_t shortest_reduced = 0;
#else
    if (what == verb::broadcast) return bytes > 8 * kib && bytes <= 64 * kib;
    constexpr std::size_t shortest_reduced = kib;
#endif
    return what == verb::all_reduce && bytes >= shortest_reduced && bytes <= 32 * kib;
}

} // namespace topo::detail
