// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <cstring>

namespace topo::detail {

TOPOMP_INLINE void copy_by_registers(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    using reg [[gnu::vector_size(16)]] = long long;
    constexpr std::size_t line = 4 * sizeof(reg);
    std::size_t done = 0;
    for (; done + line <= bytes; done += line) {
        reg a, b, c, d; // as an array they would be written to the stack as well
        std::memcpy(&a, from + done, sizeof a);
        std::memcpy(&b, from + done + sizeof a, sizeof b);
        std::memcpy(&c, from + done + 2 * sizeof a, sizeof c);
        std::memcpy(&d, from + done + 3 * sizeof a, sizeof d);
        std::memcpy(to + done, &a, sizeof a);
        std::memcpy(to + done + sizeof a, &b, sizeof b);
        std::memcpy(to + done + 2 * sizeof a, &c, sizeof c);
        std::memcpy(to + done + 3 * sizeof a, &d, sizeof d);
        asm volatile("" : : : "memory"); // NOLINT(hicpp-no-assembler): or the loop is compiled as std::memcpy
    }
    std::memcpy(to + done, from + done, bytes - done);
}

} // namespace topo::detail
