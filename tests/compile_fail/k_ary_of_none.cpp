// SPDX-License-Identifier: BSL-1.0
// expect: topo::k_ary<K>: a rank needs room for at least one child, so K must be at least 1
#include <topomp/algorithm/shape.hpp>

int misuse() { return topo::k_ary<0>::is_interval; }
