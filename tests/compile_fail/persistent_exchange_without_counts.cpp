// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: missing: neighbour_all_to_allv_init(where, elements, counts, result, result_counts)
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>

#include <vector>

topo::persistent misuse(const topo::neighbourhood& links, std::vector<int>& data) {
    return topo::neighbour_all_to_allv_init(links, data, data);
}
