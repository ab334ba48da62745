// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/integers.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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

TOPOMP_INLINE integers::~integers() = default;
TOPOMP_INLINE integers::integers(const integers& other) { *this = other; }
TOPOMP_INLINE integers::integers(integers&& other) noexcept { *this = std::move(other); }

TOPOMP_INLINE integers& integers::operator=(const integers& other) {
    if (this != &other) {
        many_ = other.many_;
        take(other);
    }
    return *this;
}
TOPOMP_INLINE integers& integers::operator=(integers&& other) noexcept {
    if (this != &other) {
        many_ = std::move(other.many_);
        take(other);
    }
    return *this;
}

TOPOMP_INLINE void integers::take(const integers& other) noexcept {
    size_ = other.size_;
    elsewhere_ = other.elsewhere_;
    if (elsewhere_ != nullptr) return;
    for (std::size_t i = 0; i < size_; ++i)
        few_[i] = other.few_[i];
}

TOPOMP_INLINE integers::operator std::span<const std::size_t>() const noexcept { return {data(), size_}; }

TOPOMP_INLINE void integers::append(std::vector<std::size_t>& numbers, std::size_t next) {
    numbers.push_back(next);
}

TOPOMP_INLINE std::size_t* integers::allocate() {
    many_.reset(new std::size_t[size_]);
    elsewhere_ = many_.get();
    return many_.get();
}

} // namespace topo
