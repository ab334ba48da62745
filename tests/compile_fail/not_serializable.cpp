// SPDX-License-Identifier: BSL-1.0
// expect: topo: this type is neither an MPI datatype nor serializable
#include <topomp/collective/serialized.hpp>

struct of_an_address {
    int* where = nullptr;
};

void misuse(const topo::hierarchy& levels, of_an_address& value) { topo::broadcast(levels, value, 0); }
