// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory of MPI's shared windows.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/mpi_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// One MPI shared window over ranks that share memory, in a passive epoch from its beginning to its end:
/// MPI_Win_sync, which orders its memory, may be called in an epoch only, and MPICH checks that.
///
/// All of it is allocated at the communicator's first rank, so that the MPI leaves no gaps and writes to no
/// page. The NUMA node of a page is that of the rank which writes to it first.
class shared_memory {
public:
    /// @collective over `comm` @throws mpi_error
    shared_memory(const boost::mpi::communicator& comm, std::size_t bytes);
    shared_memory(shared_memory&&) noexcept = default;
    shared_memory& operator=(shared_memory&&) = delete;

    /// Begins at a page; only while `is_open()`.
    std::byte* data() const noexcept { return data_; }
    std::size_t bytes() const noexcept { return bytes_; }
    /// False after MPI_Finalize, which frees the windows; only SimGrid's runs too late to do so.
    bool is_open() const noexcept;

    /// Orders what this rank writes and reads before with what it does after, as the MPI standard requires.
    void sync() const { mpi::check(MPI_Win_sync(window_.raw()), "MPI_Win_sync", "shared memory"); }

private:
    mpi_window window_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/shared_memory.ipp>
#endif
