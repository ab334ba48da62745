// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent operations that begin in the memory of a node, and exchange with other nodes themselves.
#pragma once

#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>

namespace topo::detail {

/// A rank waits for signals of its node and for messages, in turn.
class posted_between_nodes : public posted_operation {
protected:
    /// Signals at equal distances.
    struct signal_row {
        std::byte* first = nullptr;
        int number = 0;
        std::size_t stride = sizeof(signal);

        signal& operator[](int which) const {
            return *reinterpret_cast<signal*>(first + static_cast<std::size_t>(which) * stride);
        }
    };

    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_between_nodes(arena& memory, std::size_t bytes)
        : memory_(memory.take(bytes, sizeof(signal), "topo::persistent")) {}
    /// Each rank has made its signals 0. @collective over the memory
    void begin_at_zero() { memory_.steps().barrier(memory_.waits()); }

    /// From now on it waits until all of these have a value, or for the messages in `slots_`.
    void await_signals(const signal_row& which, signal::value_type value) {
        awaited_ = which;
        awaited_value_ = value;
        looks_at_memory_ = true;
    }
    void await_messages() { looks_at_memory_ = false; }

    bool is_raised(int which) const { return awaited_[which].value() >= awaited_value_; }
    bool are_raised() const;
    /// The reads of those awaited, without the calling rank's own. @param own its number
    void charge_awaited(int own) const {
        charge_signals(static_cast<std::size_t>(awaited_.number - (own < awaited_.number ? 1 : 0)));
    }
    void raise(signal& own, signal::value_type value) { raise_and_wake(own, value, memory_.waits()); }

    TOPOMP_INLINE void await() override;

    arena::block memory_;

private:
    signal_row awaited_;
    signal::value_type awaited_value_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_between_nodes.ipp>
#endif
