// SPDX-License-Identifier: BSL-1.0
/// @file
/// Asking the system for pages before they are used, and giving them back.
#pragma once

#include <topomp/memory/block_list.hpp>
#include <topomp/memory/simulated.hpp>
#include <topomp/memory/window_layout.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>

namespace topo::detail {

/// Has all of these pages in memory and known to the calling process, those that are there already as well,
/// so that no use of them waits for the system. Does nothing where the system cannot (Linux before 5.14).
/// @param data where a page begins @cost 0.1 us for a page that is there, 1 us for a new one
/// @return false if there is no memory for them: then to touch one would end the program (SIGBUS)
inline bool populate([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
    if (bytes > 0 && madvise(data, bytes, MADV_POPULATE_WRITE) != 0)
        return errno != EFAULT && errno != ENOMEM && errno != EHWPOISON;
#endif
    return true;
}

/// Gives the pages that lie wholly in a large piece of shared memory back to the system: they are gone for
/// every process that maps them, and free until somebody touches them again. Where the system cannot, they
/// stay as they are.
inline void give_pages_back(std::byte* data, std::size_t bytes) noexcept {
    constexpr std::size_t worth_it = 64 * 1024;
    if (is_simulated || bytes < worth_it) return; // the simulator's memory is not all the window's
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::size_t first = round_up(address, page_bytes) - address;
    const std::size_t length = (bytes - first) / page_bytes * page_bytes;
    // Of a window of one rank some MPIs make memory of the process, which is in no file.
    if (madvise(data + first, length, MADV_REMOVE) != 0)
        static_cast<void>(madvise(data + first, length, MADV_DONTNEED));
}

} // namespace topo::detail
