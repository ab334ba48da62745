// SPDX-License-Identifier: BSL-1.0
// expect: topo::k_nomial<K>: in each round the holders grow K-fold, so K must be at least 2
#include <topomp/algorithm/shape.hpp>

int misuse() { return topo::k_nomial<1>::parent(3, 8); }
