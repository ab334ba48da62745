// SPDX-License-Identifier: BSL-1.0
/// @file
/// Copies straight out of another process, where the kernel allows it.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace topo::detail {

/// A rank's process as the others of its node know it.
using process = pid_t;

/// Copies bytes out of another process: one copy, made by the kernel.
/// @return 0, or the kernel's error
inline int try_read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes) noexcept {
    constexpr std::size_t most = std::size_t{1} << 30; // in a call
    while (bytes > 0) {
        iovec here{to, std::min(bytes, most)};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of another process
        iovec there{reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), here.iov_len};
        const ssize_t moved = process_vm_readv(from, &here, 1, &there, 1, 0);
        if (moved <= 0) {
            if (moved < 0 && errno == EINTR) continue;
            return moved < 0 ? errno : EIO;
        }
        to += moved;
        address += static_cast<std::uint64_t>(moved);
        bytes -= static_cast<std::size_t>(moved);
    }
    return 0;
}

/// @throws system_error
inline void read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes) {
    if (const int problem = try_read_across(from, address, to, bytes); problem != 0)
        throw system_error("process_vm_readv", "process " + std::to_string(from), std::strerror(problem));
}

/// Everybody's process. @collective over `comm`
inline std::vector<process> processes_of(const boost::mpi::communicator& comm) {
    static_assert(sizeof(process) == sizeof(int));
    const process mine = getpid();
    std::vector<process> all(static_cast<std::size_t>(comm.size()));
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm), "MPI_Allgather", "processes");
    return all;
}

/// Whether each rank can read the memory of each other: asked once, for containers and kernels forbid it.
/// @collective over `comm`, whose ranks share a node
inline bool can_read_across(const boost::mpi::communicator& comm) {
#ifdef SMPI_H
    static_cast<void>(comm); // all ranks are one process, and the simulator would not know of the copies
    return false;
#else
    const auto all = processes_of(comm);
    const auto size = static_cast<std::size_t>(comm.size());
    const std::uint64_t number = 0x746f706f6d70 + static_cast<std::uint64_t>(comm.rank());
    const auto mine = reinterpret_cast<std::uintptr_t>(&number);
    std::vector<std::uint64_t> addresses(size);
    const std::uint64_t address = mine;
    mpi::check(MPI_Allgather(&address, 1, MPI_UINT64_T, addresses.data(), 1, MPI_UINT64_T, comm),
               "MPI_Allgather", "addresses");
    int works = 1;
    for (std::size_t rank = 0; rank < size; ++rank) {
        std::uint64_t seen = 0;
        const int problem =
            try_read_across(all[rank], addresses[rank], reinterpret_cast<std::byte*>(&seen), sizeof seen);
        if (problem != 0 || seen != 0x746f706f6d70 + rank) works = 0;
    }
    int everybody = 0; // nobody's number ends before all have looked
    mpi::allreduce(&works, &everybody, 1, MPI_INT, MPI_MIN, comm, "reading across");
    return everybody != 0;
#endif
}

} // namespace topo::detail
