// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: argument are missing: neighbour_all_gatherv(where, elements, result, result_counts)
#include <topomp/neighbour/neighbour_all_gather.hpp>

#include <vector>

void misuse(const topo::neighbourhood& links, const std::vector<int>& out) {
    topo::neighbour_all_gatherv(links, out);
}
