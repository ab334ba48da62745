// SPDX-License-Identifier: BSL-1.0
/// @file
/// Shared memory of a node's ranks, as a container.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/window_block.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/detail/window_life.hpp>
#include <topomp/memory/numa_share.hpp>

#include <boost/mpi/communicator.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo {

namespace detail {
struct over_level;
}

/// Elements in memory that the ranks of a node share: each reads and writes those of all others like its own.
/// Movable; freed with the last rank's object, in any order, without waiting, as long as its hierarchy is
/// there. The last owner of the hierarchy frees its communicators, which waits for the other ranks: where
/// that is a window, end windows of several such hierarchies in the same order on all ranks. One that was
/// moved from, or outlives `MPI_Finalize`, may be destroyed and assigned to; every other use throws a
/// usage_error.
///
/// ```
///   of_each       [rank 0][rank 1 ][2]      all() is everything: no gaps, unless blocks are aligned
///   of_root       [rank 0            ]
///   spread        [0    ][2    ][1   ]      pages of ranks 0 and 2's NUMA node, then of rank 1's
/// ```
///
/// Elements start as zero bytes. A page lies on the NUMA node of the rank that owns what begins in it,
/// because that rank touched it first. `fence()` makes what one rank wrote visible to the others; between
/// fences no rank may read what another one writes.
///
/// @tparam T trivially copyable. A pointer inside it, which the compiler does not see, means nothing to other
/// ranks: they have the memory at other addresses.
/// @snippet examples/10_shared_window.cpp window
/// @see MPI standard, section on window that is shared; paper 2, sections 2 and 3
template <class T>
class shared_window {
    static_assert(
        std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
        "topo::shared_window<T>: T must be trivially copyable and not const, for other processes use "
        "its bytes without a constructor having run there: keep numbers or plain structs in it, and "
        "what owns memory elsewhere");
    static_assert(
        !std::is_pointer_v<T>,
        "topo::shared_window<T>: T is a pointer, but an address is one of its own process alone: keep "
        "positions in the window");
    static_assert(alignof(T) <= detail::page_bytes,
                  "topo::shared_window<T>: T is aligned to more than a page");

public:
    /// The type of the elements.
    using value_type = T;

    /// Over the ranks of a level.
    /// @param count of elements: the calling rank's, zero allowed; where the window is one block, the whole
    /// window's, the same on all ranks
    /// @collective over the level, with the same options
    /// @cost a gather of 32 bytes per rank of the level, two broadcasts, a barrier, an all-reduce of an
    /// integer, and filling with zeros
    /// @throws argument_error for a count that is negative or more than memory can hold, an alignment that is
    /// no power of two or more than a page, a level whose ranks share no memory; system_error if there is not
    /// enough memory. On every rank.
    template <std::integral Count>
    shared_window(const level& where, Count count, const window_options& options = {}) {
        memory_ = detail::window_block::in(where, count_of(count), sizeof(T), alignof(T), options);
    }

    /// Over the ranks of a hierarchy, any number of nodes: one window in each node, among its ranks; see
    /// `arena::of` for what a node is. Counts are about the calling rank's node.
    /// @collective over the whole, with the same options @cost the same, and an all-reduce over the whole
    /// @throws the same, on every rank of the whole
    template <std::integral Count>
    shared_window(const hierarchy& levels, Count count, const window_options& options = {}) {
        memory_ = detail::window_block::in_each(levels, count_of(count), sizeof(T), alignof(T), options);
    }

    /// A communicator in the place of the hierarchy does not compile.
    template <class... Rest>
    shared_window(detail::no_hierarchy, Rest&&...) TOPOMP_NEEDS_HIERARCHY;

    shared_window(shared_window&&) noexcept = default;
    shared_window& operator=(shared_window&&) noexcept = default;

    /// The ranks that share this window, in their order; `of` counts in it.
    const boost::mpi::communicator& comm() const { return open("comm").comm(); }
    /// The calling rank's number in `comm()`.
    int rank() const { return comm().rank(); }

    /// The calling rank's elements. @throws usage_error after MPI has ended, as all others
    std::span<T> local() { return block("local", open("local").rank()); }
    /// The same, to read.
    std::span<const T> local() const { return block("local", open("local").rank()); }

    /// The elements of a rank of `comm()`. @throws argument_error if there is none
    std::span<T> of(int rank) { return block("of", rank); }
    /// The same, to read.
    std::span<const T> of(int rank) const { return block("of", rank); }

    /// The elements of all ranks, in the order in which they lie. @throws usage_error if blocks are aligned
    /// each
    std::span<T> all() { return everything("all"); }
    /// The same, to read.
    std::span<const T> all() const { return everything("all"); }

    /// The first element of all ranks.
    auto begin() { return all().begin(); }
    /// Past the last element of all ranks.
    auto end() { return all().end(); }
    /// The same, to read.
    auto begin() const { return all().begin(); }
    /// The same, to read.
    auto end() const { return all().end(); }

    /// The number of elements of all ranks.
    std::size_t size() const { return open("size").count(); }
    /// Whether no rank has an element.
    bool empty() const { return size() == 0; }

    /// No rank returns before all ranks have called; what any rank wrote before, all ranks read after. A
    /// build with TOPOMP_CHECKED waits no longer than `TOPOMP_FENCE_SECONDS` (of the environment; 60).
    /// While a rank waits, requests of the hierarchy go on if the window is over it, not over a level.
    /// @collective over `comm()` @cost a barrier through signals
    /// @throws usage_error, in a checked build, on the ranks that called, if some do not call in time
    void fence() { open("fence").fence(); }

    /// On which NUMA nodes the pages of a rank's elements lie now; nothing if the system does not report it.
    /// Local. @cost a system call
    std::vector<numa_share> numa_shares_of(int rank) const {
        const auto elements = block("numa_shares_of", rank);
        return numa_shares(std::as_bytes(elements));
    }

    /// The MPI's own window on this memory, by which ranks of all nodes reach it: `MPI_Get`, `MPI_Put`,
    /// `MPI_Accumulate`. Rank r of the hierarchy's whole, or of the level, is target r; its elements are its
    /// `local()`, and displacements count elements. No epoch is open: `MPI_Win_fence`, `MPI_Win_start` or
    /// `MPI_Win_lock` opens one. The ranks of the target's node see what was put after the target's epoch and
    /// a `fence()` of theirs behind it.
    ///
    /// It belongs to this object: do not free it. From then on, to destroy this object or to assign to it
    /// waits for all ranks, as `MPI_Win_free` does.
    /// @collective over the whole, or over the level, the first time @cost then an `MPI_Win_create` and an
    /// all-reduce of an integer
    /// @throws usage_error; mpi_error where the MPI cannot make it; system_error, on every rank, where the
    /// MPI makes one of other memory (MPICH 4.0 over UCX) @see paper 2, section 3.2.3
    MPI_Win win() { return open("win").win(); }

    /// The signals of the ranks, for synchronisation by the program between fences: see `signals`.
    signals& steps() { return open("steps").steps(); }
    /// How the ranks of this window wait for each other.
    const waiting& waits() const { return open("waits").waits(); }

private:
    friend struct detail::over_level;

    template <std::integral Count>
    static std::optional<std::size_t> count_of(Count count) {
        return std::in_range<std::size_t>(count) ? std::optional{static_cast<std::size_t>(count)}
                                                 : std::nullopt;
    }

    detail::window_block& open(std::string_view call) {
        memory_.require_open(call);
        return memory_;
    }
    const detail::window_block& open(std::string_view call) const {
        memory_.require_open(call);
        return memory_;
    }
    std::span<T> block(std::string_view call, int rank) const {
        const auto [data, count] = open(call).of(rank);
        return {reinterpret_cast<T*>(data), count};
    }
    std::span<T> everything(std::string_view call) const {
        const auto [data, count] = open(call).all();
        return {reinterpret_cast<T*>(data), count};
    }

    detail::window_block memory_;
};

/// By this hybrid verbs recognise windows over levels: see `window_block::over_level`.
struct detail::over_level {
    template <class T>
    static const std::shared_ptr<const void>& of(const shared_window<T>& window) noexcept {
        return window.memory_.over_level();
    }
    /// For collectives that last longer than a call.
    template <class T>
    static watched_window watch(const shared_window<T>& window) {
        return {window.memory_.life().watch()};
    }
};

} // namespace topo
