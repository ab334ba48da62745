// SPDX-License-Identifier: BSL-1.0
// expect: topo: this policy has no algorithm for this verb
#include <topomp/hybrid/broadcast.hpp>

void misuse(const topo::hierarchy& levels, topo::shared_window<double>& field) {
    topo::hybrid::broadcast(levels, field, 0, topo::hybrid::policy<topo::pairwise>{});
}
