// SPDX-License-Identifier: BSL-1.0
// expect: topo: this verb fills a buffer that ends with the call, so that the result could not be read
#include <topomp/collective/all_gatherv.hpp>

void misuse(const topo::hierarchy& levels, const std::vector<int>& counts) {
    topo::all_gatherv(levels, counts, std::vector<int>(3), counts);
}
