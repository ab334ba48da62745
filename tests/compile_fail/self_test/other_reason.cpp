// SPDX-License-Identifier: BSL-1.0
// expect: never said
#include <topomp/version.hpp>

static_assert(topo::version.empty(), "another sentence");
