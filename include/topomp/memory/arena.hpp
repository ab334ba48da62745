// SPDX-License-Identifier: BSL-1.0
/// @file
/// The shared memory of a node's ranks: few MPI windows, divided by topomp.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/detail/lent_block.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>
#include <topomp/memory/detail/window_layout.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace topo {

namespace detail {
struct arena_state;
struct background_slot;
} // namespace detail

/// The shared memory of the ranks of a node: one MPI window, of which blocks are handed out, and another,
/// larger one when it is full. Each MPI window costs the MPI a communicator and files; a block costs two
/// short messages.
///
/// Only the first rank records which memory is free. A rank that frees a block sets a mark in the block
/// itself, so ranks may free blocks in any order, without waiting, and memory is reused only after all ranks
/// have freed it. The last rank that frees a large block returns its pages to the system. An arena or block
/// that was moved from, or outlives `MPI_Finalize`, may be destroyed and assigned to; every other use throws
/// a usage_error.
/// @see design decision 7
class arena {
public:
    /// The arena of a hierarchy: one per node, made at first use, freed with the hierarchy.
    ///
    /// A node is the outermost level that is a machine, a rank without such a level a node by itself; where
    /// the ranks of a made-up machine really run on several hosts, the ranks on each.
    /// @collective over the whole the first time @cost then three splits and an all-reduce
    static arena& of(const hierarchy& levels);

    /// The same for other groups of ranks: one arena per NUMA node.
    /// @collective over the whole the first time for each @cost then a split more
    static arena& of(const hierarchy& levels, window_sharers sharers);

    /// The arena of a level, made at first use and freed with the level's communicator.
    /// @collective over the level the first time
    /// @throws argument_error, on every rank, if the level's ranks have no memory in common
    static arena& of(const level& where);

    /// @param ranks that share memory; a private communicator of the arena @param name of the object that
    /// they share @param work with which a rank goes on while it waits for others; null: nothing
    /// @collective over `ranks`
    arena(boost::mpi::communicator ranks, std::string name,
          std::shared_ptr<detail::background_slot> work = nullptr);

    /// The ranks that share the memory, as a private communicator.
    const boost::mpi::communicator& comm() const;
    /// How they wait for each other.
    const waiting& waits() const;
    /// Whether they are oversubscribed: more ranks than the cores they may run on.
    bool is_oversubscribed() const;
    /// With what a rank goes on while it waits for others; null: nothing.
    std::shared_ptr<detail::background_slot> background() const;
    /// `node0, 4 ranks`
    const std::string& name() const;
    /// How many MPI windows it has taken.
    std::size_t windows() const;
    /// How many bytes these have, touched or not.
    std::size_t bytes() const;

private:
    struct of_numa_nodes;
    using state = detail::arena_state;

public:
    /// A block of an arena, the same on all its ranks: data, and a signal of each rank. Its destruction on a
    /// rank only marks it as free there. Movable.
    class block {
    public:
        block() = default;
        /// Takes over the other's memory.
        block(block&& other) noexcept;
        block& operator=(block&& other) noexcept;
        ~block();

        /// Whether there is memory: not after it was moved from, nor when MPI has ended.
        bool is_open() const noexcept;
        /// Null and 0 after it was moved from.
        std::byte* data() const noexcept { return data_; }
        /// The number of bytes at `data()`.
        std::size_t bytes() const noexcept { return bytes_; }
        /// The block's own signals.
        signals& steps() noexcept { return steps_; }
        /// Orders memory as the MPI standard requires; data that is read after a signal needs only the
        /// signal.
        void sync() const;

        /// The ranks that share it.
        const boost::mpi::communicator& comm() const;
        /// How its ranks wait for a signal.
        const waiting& waits() const;
        /// Whether its ranks are oversubscribed: more than the cores they may run on.
        bool is_oversubscribed() const;
        /// Of the arena, for messages.
        const std::string& name() const;

    private:
        friend class arena;
        const state& open(const char* member) const;
        std::shared_ptr<state> owner_;
        std::byte* data_ = nullptr;
        std::size_t bytes_ = 0;
        detail::lent_block taken_;
        signals steps_;
    };

    /// A block of so many bytes, uninitialised and not touched by this call.
    /// @param alignment of the data: a power of two, at most a page @param call that an error message names
    /// @collective over `comm()`, with the same arguments @cost a broadcast; sometimes a window
    /// @throws system_error, on every rank, if there is not enough memory
    block take(std::size_t bytes, std::size_t alignment, std::string_view call);

private:
    struct decision;

    const state& open(const char* member) const;

    decision decide(std::size_t bytes, std::size_t alignment, std::string& problem, std::string_view call);

    /// Bytes of the first window; only what is touched is taken from the system.
    static constexpr std::size_t first_chunk = std::size_t{32} << 20;

    std::shared_ptr<state> state_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/arena.ipp>
#endif
