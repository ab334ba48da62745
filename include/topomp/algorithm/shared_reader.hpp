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
#include <chrono>
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

/// Whether reading across is about as fast as a copy inside the process: tried once, for that depends on the
/// kernel and, in a virtual machine, on what is around it. Messages are cut so that two ranks copy at the
/// same time, so that two copies take little longer than one.
/// @param everybody their processes @param memory so many bytes that may be read now
/// @collective over `comm` @cost some copies
inline bool is_reading_fast(const boost::mpi::communicator& comm, const std::vector<process>& everybody,
                            const std::byte* memory, std::size_t bytes) {
    const auto next = static_cast<std::size_t>((comm.rank() + 1) % comm.size());
    const std::vector<std::byte> mine(memory, memory + bytes);
    std::vector<std::byte> copy(bytes);
    std::vector<std::uint64_t> addresses(everybody.size());
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(mine.data()));
    mpi::check(MPI_Allgather(&address, 1, MPI_UINT64_T, addresses.data(), 1, MPI_UINT64_T, comm),
               "MPI_Allgather", "addresses");
    const auto fastest = [&](auto work) {
        auto least = std::chrono::steady_clock::duration::max();
        for (int again = 0; again < 5; ++again) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            least = std::min(least, std::chrono::steady_clock::now() - begin);
        }
        return least;
    };
    const auto inside = fastest([&] { std::memcpy(copy.data(), mine.data(), bytes); });
    const auto across =
        fastest([&] { try_read_across(everybody[next], addresses[next], copy.data(), bytes); });
    const int works = across <= inside + inside / 4 ? 1 : 0;
    int all = 0; // nobody's memory ends before all have read
    mpi::allreduce(&works, &all, 1, MPI_INT, MPI_MIN, comm, "speed of reading across");
    return all != 0;
}

} // namespace topo::detail
