// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: isparse_exchange(levels, data, result) takes the data that sparse_exchange takes
#include <topomp/neighbour/isparse_exchange.hpp>

#include <map>
#include <vector>

void misuse(const topo::hierarchy& levels, const std::map<int, std::vector<double>>& data) {
    topo::isparse_exchange(levels, data).wait();
}
