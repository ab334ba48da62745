// SPDX-License-Identifier: BSL-1.0
/// @file
/// A shared window with its element type erased.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/mpi_window.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/detail/window_life.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace topo::detail {

/// Bytes of an arena, divided among its ranks, each block touched first by its owner.
class window_block {
public:
    window_block() = default;
    window_block(window_block&&) noexcept = default;
    window_block& operator=(window_block&&) noexcept = default;
    ~window_block() { exposed_ = {}; }

    /// @param count nothing: the rank's argument is no valid count
    /// @collective over the arena's ranks; errors on all of them
    window_block(arena& from, std::optional<std::size_t> count, std::size_t element, std::size_t alignment,
                 const window_options& options);

    /// In the arena of a level. @collective over the level; errors on all ranks
    static window_block in(const level& where, std::optional<std::size_t> count, std::size_t element,
                           std::size_t alignment, const window_options& options);

    /// In the arenas of a hierarchy. @collective over the whole; errors on all ranks
    static window_block in_each(const hierarchy& levels, std::optional<std::size_t> count,
                                std::size_t element, std::size_t alignment, const window_options& options);

    void require_open(std::string_view function) const;

    const boost::mpi::communicator& comm() const { return block_.comm(); }
    int rank() const noexcept { return rank_; }
    std::size_t count() const noexcept { return count_; }
    signals& steps() noexcept { return block_.steps(); }
    const waiting& waits() const { return block_.waits(); }
    /// Of a window over a level, an object that no other window has; null over a hierarchy.
    const std::shared_ptr<const void>& over_level() const noexcept { return over_level_; }
    const life_of_window& life() const noexcept { return life_; }

    struct part {
        std::byte* data = nullptr;
        std::size_t count = 0;
    };
    part of(int rank) const;
    part all() const;

    void fence();

    /// MPI's window on the ranks' blocks, made at the first call. @collective over all ranks of all windows
    /// that were made with this one the first time
    MPI_Win win();

private:
    static constexpr const char* call = "topo::shared_window";
    /// Where data begin that have pages of their own. A program's arrays begin at a page or 16 bytes behind
    /// one: in neither direction is a copy between them and the window slow (core/detail/copy_bytes.hpp).
    static constexpr std::size_t behind_page = 64;

    /// The address that other ranks reach at displacement 0. MPICH 4.0 may replace the given address: see
    /// tests/mpi_faults/moved_windows.cpp.
    static void* begin_of(MPI_Win window);

    std::byte* data() const noexcept { return block_.data() + lead_; }

    /// A rank's request for a window.
    struct wish {
        std::int64_t count = 0; ///< -1: no count
        std::uint64_t element = 0;
        std::uint64_t options = 0;
        std::int64_t numa_node = 0;
    };

    static std::vector<wish> exchange(arena& from, std::optional<std::size_t> count, std::size_t element,
                                      const window_options& options);

    static window_layout layout_of(arena& from, const std::vector<wish>& wishes, std::size_t element,
                                   std::size_t alignment, const window_options& options);

    /// Each rank fills its block with zeros. The pages are requested from the system first, which then
    /// reports a lack of memory; otherwise the first access would end the program (SIGBUS).
    /// @collective over the arena's ranks @throws system_error on all of them
    void touch(window_pages pages);

    static bool make_pages(std::byte* data, std::size_t bytes, [[maybe_unused]] window_pages pages);

    std::shared_ptr<const void> maker_;      ///< the hierarchy or level lives as long as the window
    std::shared_ptr<const void> over_level_; ///< `maker_`, if that is a level
    MPI_Comm made_together_ = MPI_COMM_NULL; ///< all ranks of all windows that were made with this one
    std::size_t element_ = 1, count_ = 0;
    std::size_t lead_ = 0; ///< bytes of the block in front of the data
    int rank_ = 0;
    bool is_contiguous_ = true;
    window_layout layout_;
    mpi_window exposed_; ///< goes before the memory
    arena::block block_;
    [[no_unique_address]] life_of_window life_; ///< in checked builds
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/window_block.ipp>
#endif
