// SPDX-License-Identifier: BSL-1.0
// expect: topo::shared_window<T>: T must be trivially copyable and not const
#include <topomp/memory/shared_window.hpp>

#include <string>

void misuse(const topo::hierarchy& tree) { topo::shared_window<std::string> names{tree, 3}; }
