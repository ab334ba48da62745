// SPDX-License-Identifier: BSL-1.0
/// @file
/// Copies directly out of another process's memory, if the kernel allows it.
#pragma once

#include <topomp/core/error.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

/// A rank's process as identified by the others of its node.
using process = pid_t;

/// Copies bytes out of another process: one copy, made by the kernel.
/// @return 0, or the kernel's error
int try_read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes) noexcept;

/// @throws system_error
void read_across(process from, std::uint64_t address, std::byte* to, std::size_t bytes);

/// Whether and how fast ranks can read each other's memory.
struct shared_reader {
    bool works = false;             ///< whether each can read each other's; containers and kernels forbid it
    bool is_fast = false;           ///< whether that is about as fast as a copy inside the process
    std::vector<process> everybody; ///< by rank
};

/// Whether reading another process is about as fast as a copy inside this one: measured once per process,
/// because it depends on the kernel and, in a virtual machine, on its host. Messages are cut so that two
/// ranks copy at the same time, so that two copies take little longer than one.
bool is_reading_fast(process from, std::uint64_t address, const std::vector<std::byte>& mine);

/// Measures it with a copy of so many bytes. @collective over `comm`, whose ranks share a node
/// @cost an all-gather of 24 bytes per rank and an all-reduce; once in a process some copies
shared_reader find_reader(const boost::mpi::communicator& comm, std::size_t bytes);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_reader.ipp>
#endif
