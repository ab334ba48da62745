// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the root is missing, the rank that gets the result: reduce(levels, elements, op, root)
#include <topomp/collective/reduce.hpp>

#include <functional>

int misuse(const topo::hierarchy& levels, int mine) {
    return topo::reduce(levels, mine, std::plus<>{}, topo::binomial{});
}
