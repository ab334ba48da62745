// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a rank keeps of an arena: its MPI windows, and which parts of them are in use.
#pragma once

#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/node_waiting.hpp>
#include <topomp/memory/detail/shared_memory.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

/// One of an arena's MPI windows.
struct arena_chunk {
    shared_memory memory;
    block_list gaps; ///< known to the first rank only
};

/// The place of an arena's block.
struct lent_block {
    std::size_t where = 0; ///< which chunk
    block_list::block part;
};

/// Shared by an arena and its blocks, whichever is freed last.
struct arena_state {
    arena_state(boost::mpi::communicator ranks, std::string what);

    std::size_t bytes() const;

    /// Bytes in front of a block's data.
    std::size_t lead() const { return (static_cast<std::size_t>(size) + 1) * sizeof(signal); }
    /// In front of a block's data: a signal of each rank.
    std::span<signal> row_of(const lent_block& block) const;
    /// Behind these: how many ranks have freed the block, `signal::gone` once it may be used again.
    signal& departures_of(const lent_block& block) const { return row_of(block).data()[size]; }

    /// Says that the calling rank has left a block. The last one to say so gives the pages back; only then
    /// may the block be used again.
    void give_back(const lent_block& block) noexcept;

    /// Takes back what all ranks have left. On the first rank.
    void reclaim() noexcept;

    boost::mpi::communicator comm;
    node_waiting waits;
    int rank, size;
    std::string name;
    std::vector<arena_chunk> chunks;
    std::vector<lent_block> in_use; ///< known to the first rank only
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/arena_state.ipp>
#endif
