// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory for elements of a layout, with what must be in it after a call.
#pragma once

#include "layouts.hpp"
#include "operations.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace topo_random {

/// Bytes that follow from a number, the same on all ranks.
inline bytes random_bytes(std::uint64_t seed, std::size_t count) {
    bytes made(count);
    for (std::size_t i = 0; i < count; i += 8) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t word = seed ^ (seed >> 29U);
        std::memcpy(made.data() + i, &word, std::min<std::size_t>(8, count - i));
    }
    return made;
}

/// Elements of a layout in memory that was filled with noise. Every byte that the call must not write is
/// compared too: gaps, what is around the elements, and input.
class field {
public:
    /// Room for elements 0 to `elements` - 1. @param guard bytes before and behind: none lets a sanitizer see
    /// what is written there, some let the comparison
    field(const layout& of, std::size_t elements, std::uint64_t noise, std::size_t guard) : of_(of) {
        const std::ptrdiff_t last = elements == 0 ? 0 : static_cast<std::ptrdiff_t>(elements - 1) * of.extent;
        const std::size_t room = elements == 0 ? 0 : static_cast<std::size_t>(last + of.end - of.lowest);
        begin_ = static_cast<std::ptrdiff_t>(guard) - of.lowest;
        expected_ = random_bytes(noise, room + 2 * guard);
        memory_ = std::make_unique<std::byte[]>(expected_.size());
        std::copy(expected_.begin(), expected_.end(), memory_.get());
        is_open_.assign(expected_.size(), false);
    }

    /// The address of element 0.
    void* data() const { return memory_.get() + begin_; }
    MPI_Datatype type() const { return of_.type; }

    /// Puts elements there before the call: their data without gaps.
    void write(std::size_t element, std::span<const std::byte> stream) {
        each_piece(element, stream, [&](std::size_t at, std::span<const std::byte> part) {
            std::ranges::copy(part, memory_.get() + at);
            std::ranges::copy(part, expected_.begin() + static_cast<std::ptrdiff_t>(at));
        });
    }
    /// Says what the call must put there.
    void expect(std::size_t element, std::span<const std::byte> stream) {
        each_piece(element, stream, [&](std::size_t at, std::span<const std::byte> part) {
            std::ranges::copy(part, expected_.begin() + static_cast<std::ptrdiff_t>(at));
        });
    }
    /// The call may leave anything in these elements, gaps between them included.
    void allow(std::size_t first, std::size_t count) {
        if (count == 0) return;
        const std::ptrdiff_t from = begin_ + static_cast<std::ptrdiff_t>(first) * of_.extent;
        const auto to = from + static_cast<std::ptrdiff_t>(count - 1) * of_.extent;
        std::fill(is_open_.begin() + from + of_.lowest, is_open_.begin() + to + of_.end, true);
    }
    /// The call may write between the pieces of these elements.
    void allow_gaps(std::size_t count) {
        if (count == 0) return;
        const auto end = begin_ + static_cast<std::ptrdiff_t>(count) * of_.extent;
        std::fill(is_open_.begin() + begin_, is_open_.begin() + std::min<std::ptrdiff_t>(end, size()), true);
        each_piece(0, bytes(count * of_.size), [&](std::size_t at, std::span<const std::byte> part) {
            std::fill_n(is_open_.begin() + static_cast<std::ptrdiff_t>(at), part.size(), false);
        });
    }

    /// The first byte that is not as it must be, in words; empty: there is none.
    std::string difference() const {
        for (std::size_t i = 0; i < expected_.size(); ++i)
            if (!is_open_[i] && memory_[i] != expected_[i])
                return "of " + of_.name + ", byte " +
                       std::to_string(static_cast<std::ptrdiff_t>(i) - begin_) + " from element 0 is " +
                       std::to_string(std::to_integer<int>(memory_[i])) + " and not " +
                       std::to_string(std::to_integer<int>(expected_[i])) + " (memory from " +
                       std::to_string(-begin_) + " to " + std::to_string(size() - begin_) + ')';
        return {};
    }

private:
    std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(expected_.size()); }

    template <class Each>
    void each_piece(std::size_t element, std::span<const std::byte> stream, Each each) const {
        for (std::size_t at = 0; at < stream.size(); ++element)
            for (const piece& one : of_.pieces) {
                const auto to = begin_ + static_cast<std::ptrdiff_t>(element) * of_.extent + one.offset;
                each(static_cast<std::size_t>(to), stream.subspan(at, one.bytes));
                at += one.bytes;
            }
    }

    layout of_;
    std::ptrdiff_t begin_ = 0; ///< of element 0
    bytes expected_;
    std::unique_ptr<std::byte[]> memory_;
    std::vector<bool> is_open_;
};

} // namespace topo_random
