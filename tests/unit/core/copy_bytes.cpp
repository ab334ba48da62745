// SPDX-License-Identifier: BSL-1.0
// Copies at all distances between the source's and the target's places in their pages, of lengths on both
// sides of the limit.
#include <topomp/core/detail/copy_bytes.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copy_bytes_tests {

namespace {

constexpr auto untouched = std::byte{0xee};

bool is_untouched(std::byte each) { return each == untouched; }

void by_registers(void* to, const void* from, std::size_t bytes) noexcept {
    topo::detail::copy_by_registers(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
}

} // namespace

TEST_CASE("a copy has all bytes of its source, and nothing beside it is written") {
    constexpr std::size_t page = 4096, longest = 2 * page + 100;
    std::vector<std::byte> source(longest + 2 * page), target(longest + 3 * page, untouched);
    for (std::size_t i = 0; i < source.size(); ++i)
        source[i] = static_cast<std::byte>(i * 7 + i / 251);
    // Both from a place in the pages that is known.
    const auto begin_of_page = [](std::vector<std::byte>& memory) {
        return memory.data() + (page - reinterpret_cast<std::uintptr_t>(memory.data()) % page) % page;
    };
    const std::byte* const from = begin_of_page(source);
    std::byte* const first = begin_of_page(target);
    for (const std::size_t behind : {0U, 1U, 7U, 16U, 31U, 32U, 33U, 64U, 4080U, 4095U})
        for (const std::size_t bytes :
             {0U, 1U, 63U, 2047U, 2048U, 2049U, 2111U, 2112U, 4096U, 8192U, 8291U}) {
            INFO(bytes << " bytes, " << behind << " behind");
            std::byte* const to = first + behind;
            for (const auto copy : {&topo::detail::copy_bytes, &by_registers}) {
                std::ranges::fill(target, untouched);
                copy(to, from, bytes);
                CHECK(std::equal(to, to + bytes, from));
                CHECK(std::all_of(target.data(), to, is_untouched));
                CHECK(std::all_of(to + bytes, target.data() + target.size(), is_untouched));
            }
        }
    topo::detail::copy_bytes(nullptr, nullptr, 0); // no bytes, no memory
}

} // namespace copy_bytes_tests
