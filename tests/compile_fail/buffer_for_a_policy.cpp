// SPDX-License-Identifier: BSL-1.0
// expect: topo: the last argument of a verb is a policy
#include <topomp/collective/iall_to_all.hpp>

topo::request misuse(const topo::hierarchy& levels, topo::blocks from, topo::blocks to,
                     std::vector<int>& counts) {
    return topo::iall_to_all(levels, from, to, counts);
}
