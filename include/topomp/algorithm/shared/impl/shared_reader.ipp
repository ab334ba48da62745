// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/shared_reader.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <atomic>
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

/// @param move `process_vm_readv` or `process_vm_writev`
template <class Move>
int try_across(Move move, process other, std::uint64_t address, std::byte* mine, std::size_t bytes) noexcept {
    constexpr std::size_t most = std::size_t{1} << 30; // in a call
    while (bytes > 0) {
        iovec here{mine, std::min(bytes, most)};
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of another process
        iovec there{reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), here.iov_len};
        const ssize_t moved = move(other, &here, 1, &there, 1, 0);
        if (moved <= 0) {
            if (moved < 0 && errno == EINTR) continue;
            return moved < 0 ? errno : EIO;
        }
        mine += moved;
        address += static_cast<std::uint64_t>(moved);
        bytes -= static_cast<std::size_t>(moved);
    }
    return 0;
}

TOPOMP_INLINE int try_read_across(process from, std::uint64_t address, std::byte* to,
                                  std::size_t bytes) noexcept {
    return try_across(&process_vm_readv, from, address, to, bytes);
}

TOPOMP_INLINE void read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes) {
    if (const int problem = try_read_across(from, address, to, bytes); problem != 0)
        throw system_error("process_vm_readv", "process " + std::to_string(from), std::strerror(problem));
}

TOPOMP_INLINE void write_across(process to, std::uint64_t address, const std::byte* from, std::size_t bytes) {
    if (const int problem = try_across(&process_vm_writev, to, address, const_cast<std::byte*>(from), bytes);
        problem != 0)
        throw system_error("process_vm_writev", "process " + std::to_string(to), std::strerror(problem));
}

TOPOMP_INLINE double slowness_of_reading(process from, std::uint64_t address,
                                         const std::vector<std::byte>& mine) {
    std::vector<std::byte> copy(mine.size());
    const auto fastest = [](auto work) {
        auto least = std::chrono::steady_clock::duration::max();
        for (int again = 0; again < 5; ++again) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            least = std::min(least, std::chrono::steady_clock::now() - begin);
        }
        return least;
    };
    const auto inside = fastest([&] { copy_bytes(copy.data(), mine.data(), copy.size()); });
    const auto across = fastest([&] { try_read_across(from, address, copy.data(), copy.size()); });
    using seconds = std::chrono::duration<double>;
    return std::max(1.0, seconds{across} / seconds{inside});
}

TOPOMP_INLINE shared_reader find_reader(const boost::mpi::communicator& comm, std::size_t bytes) {
    shared_reader found;
#ifdef SMPI_H
    // All ranks are one process, and the simulator would not account for the copies.
    static_cast<void>(comm);
    static_cast<void>(bytes);
#else
    struct facts {
        std::uint64_t number, address;
        process of;
    };
    const std::uint64_t number = 0x746f706f6d70 + static_cast<std::uint64_t>(comm.rank());
    const facts mine{number, address_for_others(&number), getpid()};
    std::vector<facts> all(static_cast<std::size_t>(comm.size()));
    mpi::check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm),
               "MPI_Allgather", "processes");
    int works = 1;
    for (const facts& each : all) {
        std::uint64_t seen = 0;
        auto* const to = reinterpret_cast<std::byte*>(&seen);
        if (try_read_across(each.of, each.address, to, sizeof seen) != 0 || seen != each.number) works = 0;
        found.processes.push_back(each.of);
    }
    // It depends on the kernel and, in a virtual machine, on its host.
    static std::atomic<double> known{0};
    const std::array<int, 2> here{works, known > 0 ? 1 : 0};
    std::array<int, 2> least{}; // no rank's number ends before all have read it
    mpi::allreduce(here.data(), least.data(), 2, MPI_INT, MPI_MIN, comm, "reading across");
    if (least[0] == 0) return found;
    std::vector<std::byte> memory;
    if (least[1] == 0) { // only then, because the first access to so much memory can take a millisecond
        memory.resize(bytes);
        const std::uint64_t address = address_for_others(memory.data());
        std::vector<std::uint64_t> addresses(all.size());
        mpi::check(MPI_Allgather(&address, 1, MPI_UINT64_T, addresses.data(), 1, MPI_UINT64_T, comm),
                   "MPI_Allgather", "memory of processes");
        const std::size_t next = static_cast<std::size_t>(comm.rank() + 1) % all.size();
        if (here[1] == 0) known = slowness_of_reading(all[next].of, addresses[next], memory);
    }
    const double slowness = known; // no memory ends before all have read it
    mpi::allreduce(&slowness, &found.slowness, 1, MPI_DOUBLE, MPI_MAX, comm, "reading across");
#endif
    return found;
}

} // namespace topo::detail
