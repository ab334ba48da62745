// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <atomic>

namespace topo {

TOPOMP_INLINE signal::value_type signal::value() const noexcept {
    // C++20 has no atomic_ref to what is const, though a load changes nothing.
    return std::atomic_ref<value_type>{const_cast<value_type&>(counter)}.load(std::memory_order_acquire);
}

TOPOMP_INLINE void signal::raise_to(value_type to) noexcept {
    std::atomic_ref<value_type>{counter}.store(to, std::memory_order_release);
    detail::wake_in_simulation();
}

} // namespace topo
