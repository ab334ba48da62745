// SPDX-License-Identifier: BSL-1.0
// expect: topo: elements must lie next to each other in memory
#include <topomp/collective/all_reduce.hpp>

#include <functional>
#include <list>

auto misuse(const topo::hierarchy& levels, const std::list<double>& numbers) {
    return topo::all_reduce(levels, numbers, std::plus<>{});
}
