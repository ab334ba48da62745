// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI cannot move elements of this type as they lie in memory
#include <topomp/collective/all_reduce.hpp>

#include <string>

std::string misuse(const topo::hierarchy& levels, const std::string& text) {
    return topo::all_reduce(levels, text, std::plus<>{});
}
