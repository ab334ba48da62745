// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/arena_state.hpp>
#include <topomp/memory/detail/populate.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <boost/mpi/communicator.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE arena_state::arena_state(boost::mpi::communicator ranks, std::string what,
                                       std::shared_ptr<background_slot> work)
    : comm(std::move(ranks)), waits(comm, std::move(work)), rank(comm.rank()), size(comm.size()),
      name(std::move(what) + ", " + std::to_string(size) + (size == 1 ? " rank" : " ranks")) {}

TOPOMP_INLINE std::size_t arena_state::bytes() const {
    std::size_t sum = 0;
    for (const arena_chunk& each : chunks)
        sum += each.memory.bytes();
    return sum;
}

TOPOMP_INLINE std::span<signal> arena_state::row_of(const lent_block& block) const {
    std::byte* const at = chunks[block.where].memory.data() + block.part.begin;
    return {reinterpret_cast<signal*>(at), static_cast<std::size_t>(size)};
}

TOPOMP_INLINE void arena_state::give_back(const lent_block& block) noexcept {
    std::byte* const data = chunks[block.where].memory.data() + block.part.data;
    const std::size_t bytes = block.part.end - block.part.data;
    leave_pages(data, bytes);
    signal& departures = departures_of(block);
    const auto ranks = static_cast<signal::value_type>(size);
    if (std::atomic_ref{departures.counter}.fetch_add(1, std::memory_order_acq_rel) + 1 < ranks) return;
    give_pages_back(data, bytes);
    departures.raise_to(signal::gone);
}

TOPOMP_INLINE void arena_state::reclaim() noexcept {
    std::erase_if(in_use, [&](const lent_block& block) {
        arena_chunk& from = chunks[block.where];
        if (!from.memory.is_open()) return true;
        if (departures_of(block).value() != signal::gone) return false;
        from.gaps.give_back(block.part);
        return true;
    });
}

} // namespace topo::detail
