// SPDX-License-Identifier: BSL-1.0
// expect: build_topo_hierarchy_levels_comm_once_and_pass_it
#include <topomp/collective/iscan.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <functional>

void misuse(const topo::node_cart& grid, double& sum) { topo::iscan(grid, sum, sum, std::plus<>{}); }
