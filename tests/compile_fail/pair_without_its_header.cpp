// SPDX-License-Identifier: BSL-1.0
// expect: topo: std::pair wants its header, <boost/serialization/utility.hpp>: include it
#include <topomp/collective/broadcast.hpp>

#include <utility>

void misuse(const topo::hierarchy& levels, std::pair<int, double>& value) {
    topo::broadcast(levels, value, 0);
}
