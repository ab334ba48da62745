// SPDX-License-Identifier: BSL-1.0
#include <topomp/version.hpp>

static_assert(topo::version.empty(), "a sentence");
