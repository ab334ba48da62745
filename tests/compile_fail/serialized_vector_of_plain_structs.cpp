// SPDX-License-Identifier: BSL-1.0
// expect: topo: this T, which the value is or holds, cannot be serialized
#include <topomp/collective/serialized.hpp>

#include <boost/serialization/vector.hpp>

#include <vector>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, std::vector<std::vector<cell>>& cells) {
    topo::broadcast(levels, cells, 0);
}
