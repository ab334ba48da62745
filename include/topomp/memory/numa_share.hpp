// SPDX-License-Identifier: BSL-1.0
/// @file
/// On which NUMA nodes memory lies.
#pragma once

#include <topomp/memory/block_list.hpp>
#include <topomp/memory/window_layout.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace topo {

/// So many pages on a NUMA node.
struct numa_share {
    int node = 0; ///< the operating system's number
    std::size_t pages = 0;

    friend bool operator==(const numa_share&, const numa_share&) = default;
};

namespace detail {

/// The NUMA node on which the calling thread runs now; 0 where the system does not tell.
inline int numa_node_here() noexcept {
    unsigned cpu = 0, node = 0;
    return syscall(SYS_getcpu, &cpu, &node, nullptr) == 0 ? static_cast<int>(node) : 0;
}

} // namespace detail

/// On which NUMA nodes the pages lie that bytes are in, by node; pages that nobody has touched are on none.
/// Nothing where the system does not tell. @cost a system call for each 512 pages
inline std::vector<numa_share> numa_shares(std::span<const std::byte> bytes) {
    constexpr std::size_t batch = 512;
    std::array<const void*, batch> pages{};
    std::array<int, batch> nodes{};
    std::vector<numa_share> shares;
    if (bytes.empty()) return shares;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(bytes.data()) / page;
    const auto last = (reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size() - 1) / page;
    for (std::uintptr_t next = first; next <= last;) {
        const std::size_t number = std::min<std::size_t>(batch, last - next + 1);
        for (std::size_t i = 0; i < number; ++i)
            pages[i] = reinterpret_cast<const void*>((next + i) * page);
        // Without a list of nodes to move to, it says where pages are.
        if (syscall(SYS_move_pages, 0, number, pages.data(), nullptr, nodes.data(), 0) != 0) return {};
        for (std::size_t i = 0; i < number; ++i) {
            if (nodes[i] < 0) continue;
            const auto known =
                std::ranges::find_if(shares, [&](const numa_share& each) { return each.node == nodes[i]; });
            if (known != shares.end())
                ++known->pages;
            else
                shares.push_back({nodes[i], 1});
        }
        next += number;
    }
    std::ranges::sort(shares, {}, &numa_share::node);
    return shares;
}

} // namespace topo
