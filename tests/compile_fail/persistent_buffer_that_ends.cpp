// SPDX-License-Identifier: BSL-1.0
// expect: topo: a non-blocking verb uses its buffers until its request is complete
#include <topomp/collective/all_reduce_init.hpp>

#include <functional>
#include <vector>

topo::persistent misuse(const topo::hierarchy& levels, std::vector<int>& result) {
    return topo::all_reduce_init(levels, std::vector<int>(3), result, std::plus<>{});
}
