// SPDX-License-Identifier: BSL-1.0
/// @file
/// On which NUMA nodes memory lies.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topo {

/// So many pages on a NUMA node.
struct numa_share {
    int node = 0;          ///< the operating system's number
    std::size_t pages = 0; ///< of the memory asked about

    friend bool operator==(const numa_share&, const numa_share&) = default;
};

namespace detail {

/// The NUMA node on which the calling thread runs now; 0 if the system does not report it.
int numa_node_here() noexcept;

} // namespace detail

/// On which NUMA nodes the pages lie that bytes are in, by node; untouched pages are on none. Nothing if the
/// system does not report it. @cost a system call for each 512 pages
std::vector<numa_share> numa_shares(std::span<const std::byte> bytes);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/numa_share.ipp>
#endif
