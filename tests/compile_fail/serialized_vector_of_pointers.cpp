// SPDX-License-Identifier: BSL-1.0
// expect: topo: a pointer cannot be serialized, nor can what holds one
#include <topomp/collective/serialized.hpp>

#include <boost/serialization/vector.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<int*>& addresses) {
    topo::broadcast(levels, addresses, 0);
}
