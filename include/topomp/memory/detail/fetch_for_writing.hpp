// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cache lines that are about to be written.
#pragma once

#include <cstddef>

namespace topo::detail {

/// Requests cache lines for writing, and does not wait for them. A line that another rank has read can be
/// written only after the copy in that rank's cache is given up, and stores take effect one after the other:
/// without a request each line costs a transfer between caches.
inline void fetch_for_writing(const std::byte* first, std::size_t bytes) noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < bytes; at += line) {
#if defined(__x86_64__)
        // __builtin_prefetch is this instruction only for processors of which the compiler knows that they
        // have it. To the others it is none.
        asm volatile("prefetchw %0" : : "m"(first[at])); // NOLINT(hicpp-no-assembler)
#else
        __builtin_prefetch(first + at, 1);
#endif
    }
}

} // namespace topo::detail
