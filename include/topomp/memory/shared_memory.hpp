// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory of MPI's shared windows.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/memory/block_list.hpp>
#include <topomp/memory/mpi_window.hpp>
#include <topomp/memory/simulated.hpp>
#include <topomp/memory/window_layout.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace topo::detail {

/// One MPI shared window over ranks that share memory, in a passive epoch from its beginning to its end: who
/// wants to order its memory (MPI_Win_sync) must be in one, and MPICH insists.
///
/// All of it is allocated at the communicator's first rank, so that the MPI adds no gaps and no touches;
/// whose a page becomes is decided by who writes to it first.
class shared_memory {
public:
    /// @collective over `comm` @throws mpi_error
    shared_memory(const boost::mpi::communicator& comm, std::size_t bytes) : bytes_(bytes) {
        // Room to begin at a page.
        const std::size_t asked = comm.rank() == 0 ? bytes + page_bytes : 0;
        void* own = nullptr;
        MPI_Win raw = MPI_WIN_NULL;
        mpi::check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(asked), 1, MPI_INFO_NULL, comm, &own, &raw),
                   "MPI_Win_allocate_shared", std::to_string(bytes) + " bytes");
        mpi::check(MPI_Win_lock_all(MPI_MODE_NOCHECK, raw), "MPI_Win_lock_all", "shared memory");
        window_ = mpi_window{raw, mpi_window::epoch::passive};
        MPI_Aint size = 0;
        int unit = 0;
        void* begin = nullptr;
        mpi::check(MPI_Win_shared_query(raw, 0, &size, &unit, static_cast<void*>(&begin)),
                   "MPI_Win_shared_query", "memory of rank 0");
        // All map the same pages, so this is the same byte on all ranks.
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        data_ = static_cast<std::byte*>(begin) + (round_up(address, page_bytes) - address);
    }
    shared_memory(shared_memory&&) noexcept = default;
    shared_memory& operator=(shared_memory&&) = delete;

    /// Begins at a page; only while `is_open()`.
    std::byte* data() const noexcept { return data_; }
    std::size_t bytes() const noexcept { return bytes_; }
    /// Not any more when MPI has ended, whose end closes the windows; only SimGrid's comes too late to do so.
    bool is_open() const noexcept {
        return window_.raw() != MPI_WIN_NULL && (!is_simulated || mpi::is_running());
    }

    /// Orders what this rank writes and reads before with what it does after, as the standard wants it.
    void sync() const { mpi::check(MPI_Win_sync(window_.raw()), "MPI_Win_sync", "shared memory"); }

private:
    mpi_window window_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace topo::detail
