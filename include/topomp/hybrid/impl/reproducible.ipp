// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/reproducible.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<int> window_roots(const hierarchy& levels, const boost::mpi::communicator& window) {
    const auto& whole = levels.whole();
    const int mine = translate(std::array{0}, window, whole).front();
    std::vector<int> all(static_cast<std::size_t>(whole.size()));
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, whole), "MPI_Allgather",
               "roots of windows");
    return all;
}

TOPOMP_INLINE std::vector<int> each_once(std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

TOPOMP_INLINE bool is_among(const std::vector<int>& ranks, const hierarchy& levels) {
    return std::binary_search(ranks.begin(), ranks.end(), levels.whole_rank());
}

} // namespace topo::detail
