// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy
#include <topomp/hybrid/all_reduce.hpp>

#include <vector>

struct last {
    int operator()(int, int b) const { return b; }
};

void misuse(const topo::hierarchy& levels, const std::vector<int>& mine, topo::shared_window<int>& result) {
    topo::hybrid::all_reduce(levels, mine, result, last{}, topo::hybrid::policy<topo::ring>{});
}
