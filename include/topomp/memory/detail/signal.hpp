// SPDX-License-Identifier: BSL-1.0
/// @file
/// A counter in shared memory that one rank writes and others read.
#pragma once

#include <topomp/memory/detail/simulated.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace topo {

/// A counter that one rank writes, that only ever grows, and that is alone on two cache lines: processors
/// fetch lines in pairs. What a rank wrote before it raised its signal, others see once they have seen the
/// signal.
///
/// A signal has no constructor: memory filled with zeros holds signals of value 0. So it works wherever ranks
/// have memory in common, a window or, if threads play ranks, an array.
/// @see design decision 7
struct alignas(128) signal {
    using value_type = std::uint64_t;
    /// How much data fits beside the counter: who sees the signal has these bytes too.
    static constexpr std::size_t payload_bytes = 128 - sizeof(value_type);
    /// No wait is for more. Who leaves for ever raises its signal to this.
    static constexpr value_type gone = ~value_type{0};

    value_type counter;
    std::byte payload[payload_bytes];

    /// What the writer has raised it to. Any rank may ask. @cost a load
    value_type value() const noexcept {
        // C++20 has no atomic_ref to what is const, though a load changes nothing.
        return std::atomic_ref<value_type>{const_cast<value_type&>(counter)}.load(std::memory_order_acquire);
    }

    /// Only the writer may. @pre `to` is not less than its value @cost a store
    void raise_to(value_type to) noexcept {
        std::atomic_ref<value_type>{counter}.store(to, std::memory_order_release);
        detail::wake_in_simulation();
    }
};

static_assert(sizeof(signal) == 128 && std::is_trivial_v<signal>);
static_assert(std::atomic_ref<signal::value_type>::is_always_lock_free,
              "topo::signal: 64-bit counters must be lock-free, for a lock would lie outside shared memory");

} // namespace topo
