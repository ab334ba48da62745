// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/hash.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstdint>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char each : text)
        hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211U;
    return hash;
}

} // namespace topo::detail
