// SPDX-License-Identifier: BSL-1.0
#include "devices.hpp"

#include "communicators.hpp"
#include "reason.hpp"
#include <topomp/core/detail/device_memory.hpp>
#include <topomp/core/mpi.hpp>

#include <algorithm>

namespace topo::preload {

namespace {

bool is_on_device(const message& what) {
    if (what.count == 0 || what.data == nullptr || what.data == MPI_IN_PLACE) return false;
    const detail::type_layout layout{what.type};
    const auto* const first = static_cast<const char*>(what.data) + layout.true_lower;
    return detail::device_runtimes::owner_of(first) != nullptr;
}

} // namespace

message first_of(const blocks& all, int ranks) {
    for (int rank = 0; rank < ranks; ++rank)
        if (all.count_of(rank) != 0) return all.block_of(rank);
    return {};
}

bool any_on_device(MPI_Comm comm, const hierarchy& levels, std::initializer_list<message> buffers) {
    if (!may_use_devices(comm)) return false;
    const int mine = std::ranges::any_of(buffers, is_on_device) ? 1 : 0;
    int any = 0;
    mpi::allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, levels.whole(), "memory of accelerators");
    if (any != 0) left_for(reason::device_memory);
    return any != 0;
}

} // namespace topo::preload
