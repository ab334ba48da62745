// SPDX-License-Identifier: BSL-1.0
// expect: topo: a std::vector<bool> holds bits, which MPI cannot fill: gather into an array of bool, or
// gather char
#include <topomp/collective/all_gather.hpp>

void misuse(const topo::hierarchy& levels, bool converged) {
    static_cast<void>(topo::all_gather(levels, converged));
}
