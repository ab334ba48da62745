// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/populate.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/window_layout.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace topo::detail {

/// The kernel's, in which it moves memory: some have 64 KiB.
TOPOMP_INLINE std::size_t kernel_page() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return std::max(bytes, page_bytes);
}

TOPOMP_INLINE bool populate([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
    const std::size_t before = reinterpret_cast<std::uintptr_t>(data) % kernel_page();
    if (bytes > 0 && madvise(data - before, bytes + before, MADV_POPULATE_WRITE) != 0)
        return errno != EFAULT && errno != ENOMEM && errno != EHWPOISON;
#endif
    return true;
}

/// The pages that lie wholly in a piece of memory that is worth giving back; none otherwise.
TOPOMP_INLINE std::span<std::byte> whole_pages(std::byte* data, std::size_t bytes) noexcept {
    constexpr std::size_t worth_it = 64 * 1024;
    if (is_simulated || bytes < worth_it) return {}; // the simulator's memory is not all the window's
    const std::size_t page = kernel_page(); // of the last one, what is behind the block would go, too
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::size_t first = round_up(address, page) - address;
    if (first >= bytes) return {};
    return {data + first, (bytes - first) / page * page};
}

TOPOMP_INLINE void leave_pages(std::byte* data, std::size_t bytes) noexcept {
    const auto pages = whole_pages(data, bytes);
    if (!pages.empty()) static_cast<void>(madvise(pages.data(), pages.size(), MADV_DONTNEED));
}

TOPOMP_INLINE void give_pages_back(std::byte* data, std::size_t bytes) noexcept {
    // Of a window of one rank some MPIs make memory of the process, which is in no file: `leave_pages` was
    // enough.
    const auto pages = whole_pages(data, bytes);
    if (!pages.empty()) static_cast<void>(madvise(pages.data(), pages.size(), MADV_REMOVE));
}

} // namespace topo::detail
