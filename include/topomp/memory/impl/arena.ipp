// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attribute.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/arena_state.hpp>
#include <topomp/memory/detail/background_slot_of.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/free_space.hpp>
#include <topomp/memory/detail/node_ranks.hpp>
#include <topomp/memory/detail/shared_memory.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/window_layout.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

/// The simulator's memory is not in files.
TOPOMP_INLINE free_space free_space_of_node() {
    free_space left = free_space_now();
#ifdef SMPI_H
    left.shared.reset();
#endif
    return left;
}

using arena_of_level = attribute<std::shared_ptr<arena>, on_duplicate::forget>;

} // namespace topo::detail

namespace topo {

/// A distinct type, as the key of the attachment to a hierarchy.
struct arena::of_numa_nodes {
    std::unique_ptr<arena> only;
};

/// The first rank's answer to a request. Plain bytes.
struct arena::decision {
    std::size_t where = 0;
    detail::block_list::block part;
    std::size_t new_chunk = 0;     ///< bytes of a window to be made first
    std::size_t problem_bytes = 0; ///< length of an error message, sent next
};

TOPOMP_INLINE const boost::mpi::communicator& arena::comm() const { return open("comm").comm; }

TOPOMP_INLINE const waiting& arena::waits() const { return open("waits").waits.waits(); }

TOPOMP_INLINE bool arena::is_oversubscribed() const {
    return open("is_oversubscribed").waits.is_oversubscribed();
}

TOPOMP_INLINE std::shared_ptr<detail::background_slot> arena::background() const {
    return open("background").waits.background();
}

TOPOMP_INLINE const std::string& arena::name() const { return open("name").name; }

TOPOMP_INLINE std::size_t arena::windows() const { return open("windows").chunks.size(); }

TOPOMP_INLINE std::size_t arena::bytes() const { return open("bytes").bytes(); }

TOPOMP_INLINE const boost::mpi::communicator& arena::block::comm() const { return open("comm").comm; }

TOPOMP_INLINE const waiting& arena::block::waits() const { return open("waits").waits.waits(); }

TOPOMP_INLINE bool arena::block::is_oversubscribed() const {
    return open("is_oversubscribed").waits.is_oversubscribed();
}

TOPOMP_INLINE const std::string& arena::block::name() const { return open("name").name; }

TOPOMP_INLINE void arena::block::sync() const { open("sync").chunks[taken_.where].memory.sync(); }

TOPOMP_INLINE arena& arena::of(const hierarchy& levels) {
    return levels.attachment<arena>([&] {
        return std::make_shared<arena>(detail::ranks_of_node(levels), detail::name_of_node(levels),
                                       detail::background_slot_of(levels));
    });
}

TOPOMP_INLINE arena& arena::of(const hierarchy& levels, window_sharers sharers) {
    if (sharers == window_sharers::of_node) return of(levels);
    const arena& nodes = of(levels);
    const auto make = [&] {
        return std::make_shared<of_numa_nodes>(of_numa_nodes{
            std::make_unique<arena>(detail::ranks_of_numa_node(levels, nodes.comm()),
                                    detail::name_of_numa_node(levels), detail::background_slot_of(levels))});
    };
    return *levels.attachment<of_numa_nodes>(make).only;
}

TOPOMP_INLINE arena& arena::of(const level& where) {
    if (const auto* known = detail::arena_of_level::find(where.comm())) return **known;
    detail::arena_of_level::set(where.comm(),
                                std::make_shared<arena>(detail::ranks_of_level(where), where.name()));
    return **detail::arena_of_level::find(where.comm());
}

TOPOMP_INLINE arena::arena(boost::mpi::communicator ranks, std::string name,
                           std::shared_ptr<detail::background_slot> work)
    : state_(std::make_shared<state>(std::move(ranks), std::move(name), std::move(work))) {}

TOPOMP_INLINE arena::block::block(block&& other) noexcept
    : owner_(std::move(other.owner_)), data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)), taken_(other.taken_), steps_(other.steps_) {}

TOPOMP_INLINE arena::block& arena::block::operator=(block&& other) noexcept {
    block moved{std::move(other)};
    std::swap(owner_, moved.owner_);
    std::swap(data_, moved.data_);
    std::swap(bytes_, moved.bytes_);
    std::swap(taken_, moved.taken_);
    std::swap(steps_, moved.steps_);
    return *this;
}

TOPOMP_INLINE arena::block::~block() {
    if (!is_open()) return;
    steps_.leave();
    owner_->give_back(taken_);
    if (owner_->rank == 0) owner_->reclaim();
}

TOPOMP_INLINE bool arena::block::is_open() const noexcept {
    return owner_ != nullptr && owner_->chunks[taken_.where].memory.is_open();
}

TOPOMP_INLINE const arena::state& arena::block::open(const char* member) const {
    detail::require_usable(owner_ != nullptr, "topo::arena::block", member);
    return *owner_;
}

TOPOMP_INLINE arena::block arena::take(std::size_t bytes, std::size_t alignment, std::string_view call) {
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
        if (state_->rank == 0) now.part = *state_->chunks.back().gaps.take(bytes, alignment, state_->lead());
        mpi::bcast(&now, sizeof now, MPI_BYTE, 0, comm(), "place of a block");
    }
    const detail::lent_block taken{now.where, now.part};
    if (state_->rank == 0) {
        // No other rank uses them yet. The memory may have held data, and beside a signal's counter lies its
        // futex event, with the number of ranks that sleep.
        for (signal& each : state_->row_of(taken))
            each = {};
        state_->departures_of(taken) = {};
        state_->in_use.push_back(taken);
    }
    block made;
    made.owner_ = state_;
    made.taken_ = taken;
    made.data_ = state_->chunks[now.where].memory.data() + now.part.data;
    made.bytes_ = bytes;
    made.steps_ = signals{state_->row_of(taken), state_->rank};
    // No rank may use a signal before it is 0.
    mpi::check(MPI_Barrier(comm()), "MPI_Barrier", "new block");
    return made;
}

TOPOMP_INLINE const arena::state& arena::open(const char* member) const {
    detail::require_usable(state_ != nullptr, "topo::arena", member);
    return *state_;
}

TOPOMP_INLINE arena::decision arena::decide(std::size_t bytes, std::size_t alignment, std::string& problem,
                                            std::string_view call) {
    state_->reclaim();
    decision now;
    const std::size_t needed = bytes + state_->lead() + alignment;
    const free_space left = detail::free_space_of_node();
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

} // namespace topo
