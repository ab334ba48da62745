// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/mpi_window.hpp>
#include <topomp/memory/detail/populate.hpp>
#include <topomp/memory/detail/window_block.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/numa_share.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE window_block::window_block(arena& from, std::optional<std::size_t> count, std::size_t element,
                                         std::size_t alignment, const window_options& options)
    : element_(element), rank_(from.comm().rank()) {
    const auto wishes = exchange(from, count, element, options);
    // Now that all ranks are known to have the same options.
    if (std::popcount(options.alignment) != 1 || options.alignment > page_bytes)
        throw argument_error(call, from.name(),
                             "an alignment of " + std::to_string(options.alignment) +
                                 " bytes: it must be a power of two, at most a page of " +
                                 std::to_string(page_bytes));
    layout_ = layout_of(from, wishes, element, std::max(alignment, options.alignment), options);
    is_contiguous_ =
        options.packing == window_packing::contiguous || options.blocks != window_blocks::of_each;
    for (const window_part& each : layout_.blocks)
        count_ += each.count;
    // A window of several pages has its own, so that each page has one owner.
    const bool has_pages = layout_.bytes >= page_bytes || options.blocks == window_blocks::spread;
    const std::size_t wanted = std::max(options.alignment, alignment);
    if (has_pages && wanted <= behind_page) lead_ = behind_page;
    block_ = from.take(lead_ + layout_.bytes, std::max(wanted, has_pages ? page_bytes : 1), call);
    touch(options.pages);
}

TOPOMP_INLINE window_block window_block::in_each(const hierarchy& levels, std::optional<std::size_t> count,
                                                 std::size_t element, std::size_t alignment,
                                                 const window_options& options) {
    detail::require_open(call, levels);
    check_on(
        levels.whole(), call, [] {},
        [&](comparison& all) {
            all.add("sharers", options.sharers == window_sharers::of_node ? "of_node" : "of_numa_node");
        });
    arena& from = arena::of(levels, options.sharers);
    window_block made = all_or_none(levels.whole(), [&] {
        return window_block{from, count, element, alignment, options};
    });
    made.maker_ = std::make_shared<const hierarchy>(levels);
    made.made_together_ = levels.whole();
    return made;
}

TOPOMP_INLINE window_block window_block::in(const level& where, std::optional<std::size_t> count,
                                            std::size_t element, std::size_t alignment,
                                            const window_options& options) {
    window_block made{arena::of(where), count, element, alignment, options};
    made.maker_ = std::make_shared<const level>(where);
    made.over_level_ = made.maker_;
    made.made_together_ = where.comm();
    return made;
}

TOPOMP_INLINE void window_block::require_open(std::string_view function) const {
    if (!block_.is_open())
        throw usage_error(std::string{call} + "::" + std::string{function}, "window",
                          "it was moved from, or MPI has ended");
}

TOPOMP_INLINE window_block::part window_block::of(int rank) const {
    if (rank < 0 || static_cast<std::size_t>(rank) >= layout_.blocks.size())
        throw argument_error(std::string{call} + "::of", block_.name(),
                             "there is no rank " + std::to_string(rank));
    const auto& found = layout_.blocks[static_cast<std::size_t>(rank)];
    return {data() + found.offset, found.count};
}

TOPOMP_INLINE window_block::part window_block::all() const {
    if (!is_contiguous_)
        throw usage_error(std::string{call} + "::all", block_.name(),
                          "there are gaps between the blocks of ranks: take of(rank), or make the window "
                          "with window_packing::contiguous");
    return {data(), count_};
}

TOPOMP_INLINE void window_block::fence() {
    block_.sync();
    if constexpr (is_checked) {
        if (!block_.steps().barrier(waits(), deadline::after(seconds_of_checks())))
            throw usage_error(std::string{call} + "::fence", block_.name(),
                              "not all ranks came within " + std::to_string(seconds_of_checks()) +
                                  " s: every rank of the window must call it");
    } else {
        block_.steps().barrier(waits());
    }
    block_.sync();
}

TOPOMP_INLINE MPI_Win window_block::win() {
    MPI_Comm comm = made_together_;
    if (exposed_.raw() != MPI_WIN_NULL) return exposed_.raw();
    const part mine = of(rank_);
    MPI_Win raw = MPI_WIN_NULL;
    mpi::meet_before_creation(comm);
    mpi::check(MPI_Win_create(mine.data, static_cast<MPI_Aint>(mine.count * element_),
                              static_cast<int>(element_), MPI_INFO_NULL, comm, &raw),
               "MPI_Win_create", block_.name());
    mpi_window made{raw, mpi_window::epoch::none};
    const int is_mine = mine.count == 0 || begin_of(raw) == mine.data ? 1 : 0;
    int are_all = 0;
    mpi::allreduce(&is_mine, &are_all, 1, MPI_INT, MPI_MIN, comm, "begin of a window");
    if (are_all == 0) {
        made = {}; // freed by all ranks
        throw system_error(std::string{call} + "::win", block_.name(),
                           "the MPI's window begins at another address than the memory given to it, as "
                           "MPICH 4.0 makes it over UCX 1.13 or later: set UCX_RCACHE_ENABLE=n in the "
                           "environment, or take MPICH 4.1");
    }
    exposed_ = std::move(made);
    return raw;
}

TOPOMP_INLINE void* window_block::begin_of(MPI_Win window) {
    void* begin = nullptr;
    int is_set = 0;
    mpi::check(MPI_Win_get_attr(window, MPI_WIN_BASE, static_cast<void*>(&begin), &is_set),
               "MPI_Win_get_attr", "begin of a window");
    return is_set != 0 ? begin : nullptr;
}

TOPOMP_INLINE std::vector<window_block::wish> window_block::exchange(arena& from,
                                                                     std::optional<std::size_t> count,
                                                                     std::size_t element,
                                                                     const window_options& options) {
    const bool fits = count && std::in_range<std::int64_t>(*count);
    const std::uint64_t kinds = static_cast<std::uint64_t>(options.blocks) +
                                4 * static_cast<std::uint64_t>(options.packing) +
                                8 * static_cast<std::uint64_t>(options.pages) + 16 * options.alignment;
    const wish mine{fits ? static_cast<std::int64_t>(*count) : -1, element, kinds, numa_node_here()};
    std::vector<wish> all(static_cast<std::size_t>(from.comm().size()));
    mpi::check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, from.comm()),
               "MPI_Allgather", "counts of a window");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const wish& each = all[rank];
        const auto refuse = [&](const std::string& problem) {
            throw argument_error(call, from.name(), "rank " + std::to_string(rank) + ' ' + problem);
        };
        if (each.count < 0) refuse("asks for a number of elements that is negative or too large");
        if (each.element != all.front().element || each.options != all.front().options)
            refuse("makes another window than rank 0: elements and options must be the same");
        if (options.blocks != window_blocks::of_each && each.count != all.front().count)
            refuse("asks for " + std::to_string(each.count) + " elements and rank 0 for " +
                   std::to_string(all.front().count) + ", but the window is one block");
    }
    return all;
}

TOPOMP_INLINE window_layout window_block::layout_of(arena& from, const std::vector<wish>& wishes,
                                                    std::size_t element, std::size_t alignment,
                                                    const window_options& options) {
    std::vector<std::size_t> counts;
    std::vector<int> numa_nodes;
    for (const wish& each : wishes) {
        counts.push_back(static_cast<std::size_t>(each.count));
        numa_nodes.push_back(static_cast<int>(each.numa_node));
    }
    std::optional<window_layout> made;
    if (options.blocks == window_blocks::spread) {
        made = spread_blocks(counts.front(), element, numa_nodes);
    } else {
        if (options.blocks == window_blocks::of_root) std::fill(counts.begin() + 1, counts.end(), 0);
        made = blocks_of_each(counts, element,
                              options.packing == window_packing::aligned ? alignment : std::size_t{1});
    }
    if (!made)
        throw argument_error(call, from.name(), "so many elements are more bytes than memory can hold");
    return *std::move(made);
}

TOPOMP_INLINE void window_block::touch(window_pages pages) {
    const auto offset = reinterpret_cast<std::uintptr_t>(data()) % page_bytes;
    const auto [begin, end] = first_touched(layout_, static_cast<std::size_t>(rank_), offset);
    std::byte* const first = data() + begin;
    const std::size_t bytes = end - begin;
    const bool has_all = make_pages(first, bytes, pages);
    if (has_all && bytes > 0) std::memset(first, 0, bytes);
    const int mine = has_all ? 1 : 0;
    int all = 0;
    block_.sync();
    mpi::allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm(), "touching a window");
    block_.sync();
    if (all == 0)
        throw system_error(call, block_.name(),
                           "the system has no pages for " + bytes_text(layout_.bytes) +
                               " of shared memory, though it seemed to have them");
}

TOPOMP_INLINE bool window_block::make_pages(std::byte* data, std::size_t bytes,
                                            [[maybe_unused]] window_pages pages) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::size_t before = address % page_bytes;
    if (bytes == 0) return true;
#ifdef MADV_HUGEPAGE
    if (pages == window_pages::huge)
        static_cast<void>(madvise(data - before, bytes + before, MADV_HUGEPAGE)); // a wish
#endif
    return populate(data - before, bytes + before);
}

} // namespace topo::detail
