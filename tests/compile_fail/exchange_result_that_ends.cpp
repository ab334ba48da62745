// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: this exchange fills a buffer that ends with the call, so that the result could not be read
#include <topomp/neighbour/neighbour_all_to_all.hpp>

#include <vector>

void misuse(const topo::neighbourhood& links, const std::vector<int>& out) {
    topo::neighbour_all_to_all(links, out, std::vector<int>(3));
}
