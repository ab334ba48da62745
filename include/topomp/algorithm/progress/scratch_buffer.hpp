// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory for data on its way, kept from call to call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

namespace topo::detail {

/// Bytes that only ever grow, and that nobody fills with zeros before they are overwritten anyway.
class scratch_buffer {
public:
    /// Makes room, for one byte at least, so that there is an address; what was there before is lost if there
    /// was too little.
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
