// SPDX-License-Identifier: BSL-1.0
#include <topomp/topomp.hpp>

#include <string_view>

std::string_view version_seen_elsewhere();

std::string_view version_seen_elsewhere() { return topo::version; }
