// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: argument are missing: neighbour_all_to_all(where, elements, result)
#include <topomp/neighbour/neighbour_all_to_all.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<int>& out, std::vector<int>& in) {
    topo::neighbour_all_to_all(levels, out, in);
}
