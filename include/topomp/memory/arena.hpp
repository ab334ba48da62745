// SPDX-License-Identifier: BSL-1.0
/// @file
/// The shared memory of a node's ranks: few MPI windows, divided by topomp.
#pragma once

#include <topomp/core/attribute.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/usable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena_state.hpp>
#include <topomp/memory/block_list.hpp>
#include <topomp/memory/free_space.hpp>
#include <topomp/memory/node_ranks.hpp>
#include <topomp/memory/shared_memory.hpp>
#include <topomp/memory/signals.hpp>
#include <topomp/memory/waiting.hpp>
#include <topomp/memory/window_layout.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

/// The shared memory of the ranks of a node: one MPI window, of which blocks are handed out, and another,
/// larger one when it is full. Each MPI window costs the MPI a communicator and files; a block costs two
/// short messages.
///
/// Only the first rank knows which parts are free. A rank says in the block itself that it needs it no more,
/// so ranks may free blocks in any order, without waiting, and memory is never used again while a rank still
/// has it. The last rank that frees a large block returns its pages to the system. An arena or block that was
/// moved from, or is kept beyond `MPI_Finalize`, may be destroyed and assigned to; else a usage_error.
/// @see design decision 7
class arena {
public:
    /// The arena of a hierarchy: one per node, made at first use, freed with the hierarchy.
    ///
    /// A node is the outermost level that is a machine, a rank without such a level a node by itself; where
    /// the ranks of a made-up machine really run on several hosts, the ranks on each.
    /// @collective over the whole the first time @cost then three splits and an all-reduce
    static arena& of(const hierarchy& tree) {
        return tree.attachment<arena>(
            [&] { return std::make_shared<arena>(detail::ranks_of_node(tree), detail::name_of_node(tree)); });
    }

    /// The same for other groups of ranks: one arena per NUMA node.
    /// @collective over the whole the first time for each @cost then a split more
    static arena& of(const hierarchy& tree, window_sharers sharers) {
        if (sharers == window_sharers::of_node) return of(tree);
        const arena& nodes = of(tree);
        const auto make = [&] {
            return std::make_shared<of_numa_nodes>(of_numa_nodes{std::make_unique<arena>(
                detail::ranks_of_numa_node(tree, nodes.comm()), detail::name_of_numa_node(tree))});
        };
        return *tree.attachment<of_numa_nodes>(make).only;
    }

    /// The arena of a level, made at first use and freed with the level's communicator.
    /// @collective over the level the first time
    /// @throws argument_error, on every rank, if the level's ranks have no memory in common
    static arena& of(const level& where) {
        if (const auto* known = cache::find(where.comm())) return **known;
        cache::set(where.comm(), std::make_shared<arena>(detail::ranks_of_level(where), where.name()));
        return **cache::find(where.comm());
    }

    /// @param ranks share memory; the communicator is the arena's own @param name of what they share
    /// @collective over `ranks`
    arena(boost::mpi::communicator ranks, std::string name)
        : state_(std::make_shared<state>(std::move(ranks), std::move(name))) {}

    /// The ranks that have the memory in common; nobody else sends on it.
    const boost::mpi::communicator& comm() const { return open("comm").comm; }
    /// How they wait for each other.
    const waiting& how() const { return open("how").waits.how(); }
    /// Whether they are more than the cores they may run on.
    bool is_crowded() const { return open("is_crowded").waits.is_crowded(); }
    /// `node0, 4 ranks`
    const std::string& name() const { return open("name").name; }
    /// How many MPI windows it has taken.
    std::size_t windows() const { return open("windows").chunks.size(); }
    /// How many bytes these have, touched or not.
    std::size_t bytes() const { return open("bytes").bytes(); }

private:
    /// A type of its own, by which a hierarchy knows it.
    struct of_numa_nodes {
        std::unique_ptr<arena> only;
    };

    using state = detail::arena_state;

public:
    /// A part of an arena, the same on all its ranks: data, and a signal of each rank. Who destroys it says
    /// only that he does not need it any more. Movable.
    class block {
    public:
        block() = default;
        block(block&& other) noexcept
            : owner_(std::move(other.owner_)), data_(std::exchange(other.data_, nullptr)),
              bytes_(std::exchange(other.bytes_, 0)), taken_(other.taken_), steps_(other.steps_) {}
        block& operator=(block&& other) noexcept {
            block moved{std::move(other)};
            std::swap(owner_, moved.owner_);
            std::swap(data_, moved.data_);
            std::swap(bytes_, moved.bytes_);
            std::swap(taken_, moved.taken_);
            std::swap(steps_, moved.steps_);
            return *this;
        }
        ~block() {
            if (!is_open()) return;
            steps_.leave();
            owner_->give_back(taken_);
            if (owner_->rank == 0) owner_->reclaim();
        }

        /// Whether there is memory: not after it was moved from, nor when MPI has ended.
        bool is_open() const noexcept {
            return owner_ != nullptr && owner_->chunks[taken_.where].memory.is_open();
        }
        /// Null and 0 after it was moved from.
        std::byte* data() const noexcept { return data_; }
        std::size_t bytes() const noexcept { return bytes_; }
        /// The block's own signals.
        signals& steps() noexcept { return steps_; }
        /// Orders memory as the MPI standard wants it; signals alone do for what is read through them.
        void sync() const { open("sync").chunks[taken_.where].memory.sync(); }

        const boost::mpi::communicator& comm() const { return open("comm").comm; }
        const waiting& how() const { return open("how").waits.how(); }
        /// Whether its ranks are more than the cores they may run on.
        bool is_crowded() const { return open("is_crowded").waits.is_crowded(); }
        const std::string& name() const { return open("name").name; }

    private:
        friend class arena;
        const state& open(const char* member) const {
            detail::require_usable(owner_ != nullptr, "topo::arena::block", member);
            return *owner_;
        }
        std::shared_ptr<state> owner_;
        std::byte* data_ = nullptr;
        std::size_t bytes_ = 0;
        detail::lent_block taken_;
        signals steps_;
    };

    /// A block of so many bytes, with anything in them, not touched by this call.
    /// @param alignment of the data: a power of two, at most a page @param call whom an error is about
    /// @collective over `comm()`, with the same arguments @cost a broadcast; sometimes a window
    /// @throws system_error, on every rank, if there is not enough memory
    block take(std::size_t bytes, std::size_t alignment, std::string_view call) {
        alignment = std::max(alignment, alignof(signal));
        open("take");
        decision now;
        std::string problem;
        if (state_->rank == 0) now = decide(bytes, alignment, problem, call);
        mpi::bcast(&now, sizeof now, MPI_BYTE, 0, comm(), "place of a block");
        if (now.problem_bytes > 0) {
            problem = mpi::bcast_text(std::move(problem), 0, comm(), "lack of memory");
            throw system_error(problem);
        }
        if (now.new_chunk > 0) {
            state_->chunks.push_back({detail::shared_memory{comm(), now.new_chunk},
                                      detail::block_list{state_->rank == 0 ? now.new_chunk : 0}});
            if (state_->rank == 0)
                now.part = *state_->chunks.back().gaps.take(bytes, alignment, state_->lead());
            mpi::bcast(&now, sizeof now, MPI_BYTE, 0, comm(), "place of a block");
        }
        const detail::lent_block taken{now.where, now.part};
        if (state_->rank == 0) {
            for (signal& each : state_->row_of(taken))
                each.raise_to(0); // nobody else is there yet
            state_->departures_of(taken).raise_to(0);
            state_->in_use.push_back(taken);
        }
        block made;
        made.owner_ = state_;
        made.taken_ = taken;
        made.data_ = state_->chunks[now.where].memory.data() + now.part.data;
        made.bytes_ = bytes;
        made.steps_ = signals{state_->row_of(taken), state_->rank};
        // Nobody may use a signal before it is 0.
        mpi::check(MPI_Barrier(comm()), "MPI_Barrier", "new block");
        return made;
    }

private:
    using cache = detail::attribute<std::shared_ptr<arena>, detail::on_duplicate::forget>;

    /// What the first rank says about a wish. Plain bytes.
    struct decision {
        std::size_t where = 0;
        detail::block_list::block part;
        std::size_t new_chunk = 0;     ///< bytes of a window to be made first
        std::size_t problem_bytes = 0; ///< length of a complaint, sent next
    };

    const state& open(const char* member) const {
        detail::require_usable(state_ != nullptr, "topo::arena", member);
        return *state_;
    }

    decision decide(std::size_t bytes, std::size_t alignment, std::string& problem, std::string_view call) {
        state_->reclaim();
        decision now;
        const std::size_t needed = bytes + state_->lead() + alignment;
        const free_space left = free_space_of_node();
        if (!left.holds(needed)) {
            problem = std::string{call} + ": " + state_->name + ": " + bytes_text(needed) + " (" +
                      std::to_string(needed) + " bytes) of shared memory are asked for, but " +
                      (left.shared ? "/dev/shm has " + bytes_text(*left.shared) + " left and " : "") +
                      "the memory has " + bytes_text(left.memory.value_or(0)) + " left";
            now.problem_bytes = problem.size();
            return now;
        }
        for (now.where = 0; now.where < state_->chunks.size(); ++now.where)
            if (const auto part = state_->chunks[now.where].gaps.take(bytes, alignment, state_->lead())) {
                now.part = *part;
                return now;
            }
        // Not more than there is: some systems give shared memory 64 MiB in all.
        const std::size_t wanted = std::max({needed, first_chunk, state_->bytes()});
        now.new_chunk = detail::round_up(left.holds(2 * wanted) ? wanted : needed, detail::page_bytes);
        return now;
    }

    /// Of the simulator's memory nothing is in files.
    static free_space free_space_of_node() {
        free_space left = free_space_now();
#ifdef SMPI_H
        left.shared.reset();
#endif
        return left;
    }

    /// Bytes of the first window; only what is touched is taken from the system.
    static constexpr std::size_t first_chunk = std::size_t{32} << 20;

    std::shared_ptr<state> state_;
};

} // namespace topo
