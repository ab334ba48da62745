// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/integers.hpp>

#include <cstddef>
#include <memory>

namespace topo {

TOPOMP_INLINE integers integers::sums_before(const integers& lengths) {
    integers result;
    std::size_t* next = result.make_room(lengths.size());
    std::size_t sum = 0;
    for (const std::size_t length : lengths) {
        *next++ = sum;
        sum += length;
    }
    return result;
}

TOPOMP_INLINE std::size_t* integers::allocate() {
    many_.reset(new std::size_t[size_]);
    elsewhere_ = many_.get();
    return many_.get();
}

} // namespace topo
