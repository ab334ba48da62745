// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
#include <topomp/collective/iscan.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <functional>

void misuse(const topo::node_cart& grid, double& sum) { topo::iscan(grid, sum, sum, std::plus<>{}); }
