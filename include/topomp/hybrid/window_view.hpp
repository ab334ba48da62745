// SPDX-License-Identifier: BSL-1.0
/// @file
/// A shared window with its element type erased, as hybrid verbs use it.
#pragma once

#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/detail/window_life.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace topo::hybrid {

/// What a window is like that holds a result once for all its ranks: one block, its pages spread over the
/// NUMA nodes that the ranks run on. `topo::shared_window<double> sum{levels, n, topo::hybrid::one_copy};`
inline constexpr window_options one_copy{.blocks = window_blocks::spread};

/// The same with a copy in each NUMA node, so that no rank reads remote memory: paper 2's section 6.
inline constexpr window_options one_copy_per_numa_node{.blocks = window_blocks::spread,
                                                       .sharers = window_sharers::of_numa_node};

} // namespace topo::hybrid

namespace topo::detail {

class copy_groups;
class node_synchronisation;

/// All elements of a window, and how its ranks synchronise.
struct window_view {
    const boost::mpi::communicator& comm;
    signals& steps;
    const waiting& waits;
    message all;
    std::size_t element;                            ///< bytes from one to the next
    const std::shared_ptr<const void>& over_level;  ///< the window's
    [[no_unique_address]] watched_window watched{}; ///< in checked builds

    std::size_t bytes() const noexcept { return all.count * element; }
    std::byte* at(std::size_t index) const noexcept;
    message part(std::size_t begin, std::size_t count) const noexcept { return {at(begin), count, all.type}; }
    /// Synchronises the window's ranks in a call on a hierarchy. A rank that waits advances the hierarchy's
    /// started collectives meanwhile.
    /// @pre the hierarchy's arena was made
    node_synchronisation synchronisation(const hierarchy& levels, hybrid::meeting by) const;
    /// The hierarchy's ranks as groups: the ranks of each window are one. @collective as
    /// `copy_groups::of_window`
    copy_groups& groups(const hierarchy& levels) const;
};

template <class T>
constexpr void assert_goes_to_nodes() {
    static_assert(
        mpi_datatype<T>,
        "topo::hybrid: the elements of this shared_window<T> go to other nodes, so MPI must know T: "
        "use numbers, or mark the struct BOOST_IS_MPI_DATATYPE and give it a serialize function");
}

template <class T>
window_view view_of_window(shared_window<T>& window) {
    assert_goes_to_nodes<T>();
    const auto all = window.all();
    return {window.comm(),
            window.steps(),
            window.waits(),
            {all.data(), all.size(), datatype_of<T>()},
            sizeof(T),
            over_level::of(window),
            over_level::watch(window)};
}

void require_elements(std::string_view call, std::string_view object, std::size_t given,
                      std::size_t expected);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/window_view.ipp>
#endif
