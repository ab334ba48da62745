// SPDX-License-Identifier: BSL-1.0
/// @file
/// A rank's state of an arena: its MPI windows, and the blocks in use.
#pragma once

#include <topomp/memory/detail/background_work.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/lent_block.hpp>
#include <topomp/memory/detail/node_waiting.hpp>
#include <topomp/memory/detail/shared_memory.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

/// One of an arena's MPI windows.
struct arena_chunk {
    shared_memory memory;
    block_list gaps; ///< on the first rank only
};

/// Shared by an arena and its blocks, whichever is freed last.
struct arena_state {
    arena_state(boost::mpi::communicator ranks, std::string what, std::shared_ptr<background_slot> work);

    std::size_t bytes() const;

    /// Bytes in front of a block's data.
    std::size_t lead() const { return (static_cast<std::size_t>(size) + 1) * sizeof(signal); }
    /// In front of a block's data: a signal of each rank.
    std::span<signal> row_of(const lent_block& block) const;
    /// Behind these: the number of ranks that have freed the block; `signal::gone` when it may be reused.
    signal& departures_of(const lent_block& block) const { return row_of(block).data()[size]; }

    /// Marks a block as freed by the calling rank. The last rank returns the pages to the system; only then
    /// may the block be reused.
    void give_back(const lent_block& block) noexcept;

    /// Reclaims the blocks that all ranks have freed. On the first rank.
    void reclaim() noexcept;

    boost::mpi::communicator comm;
    node_waiting waits;
    int rank, size;
    std::string name;
    std::vector<arena_chunk> chunks;
    std::vector<lent_block> in_use; ///< on the first rank only
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/arena_state.ipp>
#endif
