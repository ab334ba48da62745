// SPDX-License-Identifier: BSL-1.0
/// @file
/// Scratch memory, reused by later calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace topo::detail {

/// Bytes that only grow, and are not zeroed before they are overwritten.
class scratch_buffer {
public:
    /// Provides so many bytes, at least one, so that there is an address. If the memory grows, its contents
    /// are lost.
    void reserve(std::size_t bytes);
    std::byte* data() const noexcept { return data_.get(); }

private:
    std::unique_ptr<std::byte[]> data_;
    std::size_t bytes_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/scratch_buffer.ipp>
#endif
