// SPDX-License-Identifier: BSL-1.0
// expect: topo: this T, which the value is or holds, cannot be serialized
#include <topomp/collective/serialized.hpp>

#include <boost/serialization/map.hpp>
#include <boost/serialization/vector.hpp>

#include <map>
#include <vector>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, const std::map<int, std::vector<std::map<long, cell>>>& cells) {
    topo::all_gather(levels, cells);
}
