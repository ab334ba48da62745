// SPDX-License-Identifier: BSL-1.0
// expect: topo: a non-blocking verb uses its buffers until its request is complete
#include <topomp/collective/iall_reduce.hpp>

#include <functional>
#include <vector>

topo::request misuse(const topo::hierarchy& levels, std::vector<int>& result) {
    return topo::iall_reduce(levels, std::vector<int>(3), result, std::plus<>{});
}
