// SPDX-License-Identifier: BSL-1.0
/// @file
/// Copies of messages from one place in memory to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace topo::detail {

/// Copies by loads and stores of vector registers. The ranges do not overlap.
void copy_by_registers(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

/// `std::memcpy`, but for addresses at which that is slow. From about 2 KiB on, up to the size of the second
/// cache, the C library copies by `rep movsb`. Where the target lies 1 to 31 bytes behind the source, modulo
/// the size of a page, AMD's Zen 3 does so at 3 GB/s in the place of 50, from another core's cache at 1.6 in
/// the place of 38. A large array of the program begins 16 bytes behind a page's begin, shared memory at one,
/// so that this is the usual case.
/// @param bytes if there are none, there may be no memory either @see glibc's bug 30994
inline void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
#if defined(__x86_64__)
    constexpr std::uintptr_t page = 4096, too_near = 32;
    constexpr std::size_t least = 2048;
    const auto behind =
        (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % page;
    if (bytes >= least && behind > 0 && behind < too_near)
        return copy_by_registers(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
#endif
    if (bytes > 0) std::memcpy(to, from, bytes);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/copy_bytes.ipp>
#endif
