// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/mpi_window.hpp>
#include <topomp/memory/detail/shared_memory.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/window_layout.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace topo::detail {

TOPOMP_INLINE shared_memory::shared_memory(const boost::mpi::communicator& comm, std::size_t bytes)
    : bytes_(bytes) {
    // Space to begin at a page.
    const std::size_t asked = comm.rank() == 0 ? bytes + page_bytes : 0;
    void* own = nullptr;
    MPI_Win raw = MPI_WIN_NULL;
    mpi::meet_before_creation(comm);
    mpi::check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(asked), 1, MPI_INFO_NULL, comm, &own, &raw),
               "MPI_Win_allocate_shared", std::to_string(bytes) + " bytes");
    mpi::check(MPI_Win_lock_all(MPI_MODE_NOCHECK, raw), "MPI_Win_lock_all", "shared memory");
    window_ = mpi_window{raw, mpi_window::epoch::passive};
    MPI_Aint size = 0;
    int unit = 0;
    void* begin = nullptr;
    mpi::check(MPI_Win_shared_query(raw, 0, &size, &unit, static_cast<void*>(&begin)), "MPI_Win_shared_query",
               "memory of rank 0");
    // All map the same pages, so this is the same byte on all ranks.
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    data_ = static_cast<std::byte*>(begin) + (round_up(address, page_bytes) - address);
}

TOPOMP_INLINE bool shared_memory::is_open() const noexcept {
    return window_.raw() != MPI_WIN_NULL && (!is_simulated || mpi::is_running());
}

} // namespace topo::detail
