// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/numa_share.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE int numa_node_here() noexcept {
    unsigned cpu = 0, node = 0;
    return syscall(SYS_getcpu, &cpu, &node, nullptr) == 0 ? static_cast<int>(node) : 0;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE std::vector<numa_share> numa_shares(std::span<const std::byte> bytes) {
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
        // Without a list of nodes to move to, it reports where pages are.
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
