// SPDX-License-Identifier: BSL-1.0
// expect: topo::shared_window<T>: T is a pointer, but an address is one of its own process alone
#include <topomp/memory/shared_window.hpp>

void misuse(const topo::hierarchy& levels) { topo::shared_window<double*> rows{levels, 3}; }
