// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scratch memory, reused by later calls.
#pragma once

#include <topomp/core/handle.hpp>

#include <cstddef>

namespace topo::detail {

/// Bytes that only grow, and are not zeroed before they are overwritten.
class scratch_buffer {
public:
    /// Provides so many bytes, at least one, so that there is an address. If the memory grows, its contents
    /// are lost.
    void reserve(std::size_t bytes);
    std::byte* data() const noexcept { return data_.native_handle(); }

private:
    struct bytes_on_heap {
        using type = std::byte*;
        static type null() noexcept { return nullptr; }
        static void destroy(type bytes) noexcept { delete[] bytes; }
    };
    handle<bytes_on_heap>
        data_; // a std::unique_ptr costs every file of a program more (core/detail/owned.hpp)
    std::size_t bytes_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/scratch_buffer.ipp>
#endif
