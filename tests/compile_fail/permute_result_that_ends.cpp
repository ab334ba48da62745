// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo::permute: what arrives comes into a buffer that ends with the call, so that nobody could read
// it
#include <topomp/hierarchy/remap.hpp>

#include <vector>

void misuse(const topo::remapping& along, const std::vector<int>& mine) {
    topo::permute(along, mine, std::vector<int>(3));
}
