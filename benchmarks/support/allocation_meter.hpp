// SPDX-License-Identifier: BSL-1.0
/// @file
/// Counts what the C++ code of the calling rank allocates: replaces operator new, so only one file of a
/// program may include this.
///
/// What an MPI or hwloc allocates inside, in C or in a library of its own, is not counted. Under SimGrid each
/// rank is a copy of the program, and so are the counters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace topo_bench {

/// Bytes as the allocator hands them out, which is a little more than what was asked for.
struct allocations {
    long long live = 0;  ///< allocated and not freed
    long long peak = 0;  ///< most of it at one time
    long long total = 0; ///< ever allocated
    long long count = 0;
};

namespace detail {

inline allocations meter;

/// The compiler takes for granted that operator new and delete change no variable; here they do.
inline void forget_registers() { asm volatile("" ::: "memory"); }

inline void* allocate(std::size_t bytes) {
    void* const block = std::malloc(bytes == 0 ? 1 : bytes);
    if (block == nullptr) throw std::bad_alloc{};
    const auto size = static_cast<long long>(malloc_usable_size(block));
    meter.live += size;
    meter.total += size;
    meter.peak = std::max(meter.peak, meter.live);
    ++meter.count;
    return block;
}

inline void release(void* block) noexcept {
    if (block != nullptr) meter.live -= static_cast<long long>(malloc_usable_size(block));
    std::free(block);
}

} // namespace detail

inline allocations allocations_now() {
    detail::forget_registers();
    return detail::meter;
}

inline void restart_peak() {
    detail::meter.peak = allocations_now().live;
    detail::forget_registers();
}

} // namespace topo_bench

void* operator new(std::size_t bytes) { return topo_bench::detail::allocate(bytes); }
void* operator new[](std::size_t bytes) { return topo_bench::detail::allocate(bytes); }
void operator delete(void* block) noexcept { topo_bench::detail::release(block); }
void operator delete[](void* block) noexcept { topo_bench::detail::release(block); }
void operator delete(void* block, std::size_t) noexcept { topo_bench::detail::release(block); }
void operator delete[](void* block, std::size_t) noexcept { topo_bench::detail::release(block); }
