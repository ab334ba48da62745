// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: what arrives is written into a buffer that ends with the call, so that it could not be read
#include <topomp/hierarchy/remap.hpp>

#include <vector>

void misuse(const topo::remapping& along, const std::vector<int>& mine) {
    topo::permute(along, mine, std::vector<int>(3));
}
