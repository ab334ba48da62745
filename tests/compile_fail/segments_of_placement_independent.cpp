// SPDX-License-Identifier: BSL-1.0
// expect: topo::segmented<Bytes, placement_independent<Policy>>: write the segments inside
#include <topomp/collective/all_reduce.hpp>

#include <functional>

double misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(levels, 1.0, std::plus<>{},
                            topo::segmented<64, topo::placement_independent<topo::chain>>{});
}
