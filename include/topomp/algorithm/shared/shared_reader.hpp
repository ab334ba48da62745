// SPDX-License-Identifier: BSL-1.0
/// @file
/// Copies directly between the memory of two processes, if the kernel allows it.
#pragma once

#include <topomp/core/error.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace topo::detail {

/// A rank's process as identified by the others of its node.
using process = pid_t;

/// Where something is in this process, for others.
inline std::uint64_t address_for_others(const void* what) noexcept {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(what));
}

/// Copies bytes out of another process: one copy, made by the kernel.
/// @return 0, or the kernel's error
int try_read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes) noexcept;

/// @throws system_error
void read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes);
/// The same into it. @pre the process can be read
void write_across(process to, std::uint64_t address, const std::byte* from, std::size_t bytes);

/// Whether and how fast ranks can read each other's memory.
struct shared_reader {
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// How many times as long it takes as a copy inside the process, on the slowest rank; `never` if some
    /// rank cannot read another one's: containers and kernels forbid it.
    double slowness = never;
    std::vector<process> processes; ///< by rank
};

/// How many times as long a copy out of another process takes as one inside this one, at least 1.
double slowness_of_reading(process from, std::uint64_t address, const std::vector<std::byte>& mine);

/// Finds out both, how fast once per process with copies of so many bytes.
/// @collective over `comm`, whose ranks share a node
/// @cost an all-gather of 24 bytes per rank and two all-reduces; once in a process another all-gather and
/// some copies
shared_reader find_reader(const boost::mpi::communicator& comm, std::size_t bytes);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_reader.ipp>
#endif
