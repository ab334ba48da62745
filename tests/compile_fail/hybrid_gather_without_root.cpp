// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the root is missing, the rank that gets the result: hybrid::gather(levels, elements, window,
// root)
#include <topomp/hybrid/gather.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<int>& mine, topo::shared_window<int>& all) {
    topo::hybrid::gather(levels, mine, all);
}
