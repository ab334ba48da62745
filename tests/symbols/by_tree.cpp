// SPDX-License-Identifier: BSL-1.0
#include <topomp/collective/broadcast_by_tree.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <vector>

void share(const topo::hierarchy& ranks, std::vector<double>& field) {
    topo::broadcast(ranks, field, 0, topo::binomial{});
}
