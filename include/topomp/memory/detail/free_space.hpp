// SPDX-License-Identifier: BSL-1.0
/// @file
/// How much shared memory is free on a node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace topo {

/// The free memory of a node, in bytes; nothing if the system does not report it.
struct free_space {
    std::optional<std::uint64_t> shared; ///< in the file system that shared memory comes from
    std::optional<std::uint64_t> memory; ///< in the memory itself, without paging others out

    bool holds(std::uint64_t bytes) const;
};

/// `1.5 MiB`: rounded, in the largest unit of which there is one.
std::string bytes_text(std::uint64_t bytes);

namespace detail {

/// The number that a file begins with, or nothing: some contain `max`.
std::optional<std::uint64_t> number_in_file(const std::string& file);

/// The memory left within a container's limit (control groups, version 2 or 1). Pages of files that are only
/// cached count as left, as in MemAvailable of /proc/meminfo; those of shared memory are others.
/// @param root where the control group is
std::optional<std::uint64_t> left_by_control_group(const std::string& root = "/sys/fs/cgroup");

std::optional<std::uint64_t> available_memory();

} // namespace detail

/// What is free now on this node. @param directory where shared memory has its files
free_space free_space_now(const char* directory = "/dev/shm");

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/free_space.ipp>
#endif
