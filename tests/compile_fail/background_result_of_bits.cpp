// SPDX-License-Identifier: BSL-1.0
// expect: topo: a std::vector<bool> holds bits, which MPI cannot move: use a std::vector<char> or an array of
// bool
#include <topomp/collective/iall_gather.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, bool mine, std::vector<bool>& all) {
    static_cast<void>(topo::iall_gather(levels, mine, all));
}
