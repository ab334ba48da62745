// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/inline.hpp>
#include <topomp/memory/simulated.hpp>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

namespace topo::detail {

TOPOMP_INLINE void copy_shared(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    std::memcpy(to, from, bytes);
    charge_copy(bytes);
}

} // namespace topo::detail
