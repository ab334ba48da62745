// SPDX-License-Identifier: BSL-1.0
// expect: topo::segmented<Bytes, Policy>: a segment needs at least one byte
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::segmented<0, topo::chain>{});
}
