// SPDX-License-Identifier: BSL-1.0
/// @file
/// A counter in shared memory that one rank writes and others read.
#pragma once

#include <topomp/core/detail/atomic_value.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace topo {

/// A counter that one rank writes, that only ever grows, and that is alone on two cache lines: processors
/// fetch lines in pairs. What a rank wrote before it raised its signal is visible to every rank that has read
/// the new value.
///
/// A signal has no constructor: memory filled with zeros holds signals of value 0. So it works wherever ranks
/// have memory in common, a window or, if threads play ranks, an array.
/// @see design decision 7
struct alignas(128) signal {
    using value_type = std::uint64_t;
    /// Bytes of data beside the counter, on the same cache lines: a rank that reads the counter has them,
    /// too.
    static constexpr std::size_t payload_bytes = 128 - sizeof(value_type);
    /// The largest value: a rank that takes no more steps raises its signal to it, so that no wait is for
    /// more.
    static constexpr value_type gone = ~value_type{0};

    value_type counter;
    std::byte payload[payload_bytes];

    /// What the writer has raised it to. Any rank may read it. @cost a load
    value_type value() const noexcept { return detail::load_acquire(counter); }

    /// Only the writer may. @pre `to` is not less than its value @cost a store
    void raise_to(value_type to) noexcept {
        detail::store_release(counter, to);
        detail::wake_in_simulation();
    }
};

static_assert(sizeof(signal) == 128 && std::is_trivial_v<signal>);
static_assert(__atomic_always_lock_free(sizeof(signal::value_type), nullptr),
              "topo::signal: 64-bit counters must be lock-free, for a lock would lie outside shared memory");

} // namespace topo
