// SPDX-License-Identifier: BSL-1.0
// expect: topo::segmented<Bytes, Policy>: only trees move data in segments
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& tree, std::vector<int>& data) {
    topo::broadcast(tree, data, 0, topo::segmented<1024, topo::lanes<topo::native, topo::native>>{});
}
