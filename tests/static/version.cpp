// SPDX-License-Identifier: BSL-1.0
#include <topomp/version.hpp>

static_assert(!topo::version.empty());
static_assert(topo::version.front() == '0' + TOPOMP_VERSION_MAJOR % 10 || TOPOMP_VERSION_MAJOR > 9);
