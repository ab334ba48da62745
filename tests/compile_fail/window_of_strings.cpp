// SPDX-License-Identifier: BSL-1.0
// expect: topo::shared_window<T>: T must be trivially copyable and not const
#include <topomp/memory/shared_window.hpp>

#include <string>

void misuse(const topo::hierarchy& levels) { topo::shared_window<std::string> names{levels, 3}; }
