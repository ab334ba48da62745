// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block from each rank to each rank, out of shared windows into shared windows.
#pragma once

#include <topomp/algorithm/rounds/exchanged_blocks.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <utility>

namespace topo {

namespace detail {

template <class T>
exchanged_blocks exchanged_blocks_of(const char* object, const shared_window<T>& window, std::size_t count,
                                     int ranks) {
    for (int rank = 0; rank < window.comm().size(); ++rank)
        require_elements("topo::hybrid::all_to_all", object, window.of(rank).size(),
                         count * static_cast<std::size_t>(ranks));
    // Through the window, because a copy of its blocks' places would need memory in each call.
    const auto find = [](const void* from, int number) {
        return reinterpret_cast<std::byte*>(
            const_cast<T*>(static_cast<const shared_window<T>*>(from)->of(number).data()));
    };
    return {&window, find, count};
}

/// @param window of the result
void hybrid_all_to_all(const hierarchy& levels, const exchanged_blocks& from, const exchanged_blocks& to,
                       const window_view& window, hybrid::meeting sync);

} // namespace detail

namespace hybrid {

/// Rank r's block s becomes rank s's block r. The blocks that the ranks of two nodes exchange go as one
/// message in each direction (or in pieces of 1 MiB), sent from and received into the windows without a copy;
/// inside a node each rank copies its blocks out of the others' memory.
///
/// When a rank returns, it may read its own elements of `result` until it calls the next verb with it, and
/// write into its own elements of `source`.
///
/// @param source of each rank a block for each rank of the whole, in their order; all blocks of one length
/// @param result likewise, from each; over the same ranks as `source`, and not the same window
/// @param options only `sync` is used
/// @collective over the whole @cost N - 1 messages to and from a node among N, divided among its ranks; two
/// copies of what leaves and enters the node, one of what stays
/// @throws argument_error on the rank that sees it: lengths that are no multiple of the number of ranks or
/// not the same, windows over other ranks
template <class T, topo::policy Between = automatic>
void all_to_all(const hierarchy& levels, const shared_window<T>& source, shared_window<T>& result,
                const policy<Between>& options = {}) {
    detail::assert_goes_to_nodes<T>();
    detail::require_open("topo::hybrid::all_to_all", levels);
    const int ranks = levels.whole_size();
    const auto [from, to] = detail::check_own("topo::hybrid::all_to_all", levels, [&] {
        if (MPI_Comm{source.comm()} != MPI_Comm{result.comm()} || &source == &result)
            throw argument_error("topo::hybrid::all_to_all", "source",
                                 "it must be another window than the result, over the same ranks");
        const std::size_t count = source.local().size() / static_cast<std::size_t>(ranks);
        return std::pair{detail::exchanged_blocks_of("source", source, count, ranks),
                         detail::exchanged_blocks_of("result", result, count, ranks)};
    });
    const message block{nullptr, source.local().size() / static_cast<std::size_t>(ranks),
                        detail::datatype_of<T>()};
    const auto view =
        detail::check_own("topo::hybrid::all_to_all", levels, [&] { return detail::view_of_window(result); });
    detail::check_hybrid_call<detail::verb::all_to_all>(levels, view, detail::bytes_of(block), true,
                                                        {.call = "topo::hybrid::all_to_all", .data = block},
                                                        options);
    detail::hybrid_all_to_all(levels, from, to, view, options.sync);
}

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void all_to_all(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_to_all(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_to_all.ipp>
#endif
