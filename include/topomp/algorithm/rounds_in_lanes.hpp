// SPDX-License-Identifier: BSL-1.0
/// @file
/// Between nodes that have memory: each rank of a node exchanges a slice in rounds.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/core/detail/fixed_text.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <string_view>

namespace topo {

namespace detail {

/// The functions of `rounds_in_lanes`, see `lanes_of_slices`.
bool lanes_broadcast(context& ranks, const loop_plan& plan, const message& what, int root);
bool lanes_reduce(context& ranks, const loop_plan& plan, const void* input, const message& result, MPI_Op op,
                  int root);
bool lanes_all_reduce(context& ranks, const loop_plan& plan, const void* input, const message& result,
                      MPI_Op op);

} // namespace detail

/// Between the nodes of `hierarchical<within<kind::machine, shared>, otherwise<rounds_in_lanes<K>>>`: each
/// rank of a node has a slice of the message, and exchanges it along its lane, the ranks with the same number
/// in their nodes, in rounds of up to K. In a reduction the ranks of a node combine a slice each in its
/// memory before, and take the slices of the others after that; in a broadcast the root's memory is where
/// slices come from. For messages of some KiB and more.
///
/// A longer reduction goes in pieces of 64 KiB, of which two are exchanged while others are copied and
/// combined; where ranks outnumber the cores, one after the other. A longer broadcast goes in pieces of 128
/// KiB, one after the other.
///
/// There are as many lanes as the smallest node has ranks. Of a larger node the first ranks exchange, after
/// all have combined.
///
/// Where nodes have no memory or one has a single rank, and where the operation does not commute, it is
/// `mpi_calls` between one rank of each node. `barrier` is `mpi_calls`, too.
/// @see J. L. Träff and S. Hunold, 'Decomposing MPI collectives for exploiting multi-lane communication'
/// (2020)
template <int Radix>
struct rounds_in_lanes : mpi_calls {
    static_assert(Radix >= 2, "topo::rounds_in_lanes<Radix>: at least two ranks meet in a round");
    /// Not one rank of each node alone takes part.
    static constexpr detail::calls_among_all among_all{nullptr, &detail::lanes_broadcast,
                                                       &detail::lanes_reduce, &detail::lanes_all_reduce};
    static constexpr int radix_of_lanes = Radix; ///< up to so many ranks meet in a round
};

namespace detail {

template <int Radix>
inline constexpr auto text_of_rounds_in_lanes = fixed_text{"rounds_in_lanes<"}.with(Radix).with(">");
template <int Radix>
inline constexpr std::string_view
    level_algorithm_name<rounds_in_lanes<Radix>> = text_of_rounds_in_lanes<Radix>.view();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#endif
