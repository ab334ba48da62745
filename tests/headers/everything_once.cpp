// SPDX-License-Identifier: BSL-1.0
#include <topomp/topomp.hpp>

#include <string_view>

std::string_view version_seen_elsewhere();

int main() { return version_seen_elsewhere() == topo::version ? 0 : 1; }
