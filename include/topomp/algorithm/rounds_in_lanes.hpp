// SPDX-License-Identifier: BSL-1.0
/// @file
/// Between nodes that have memory: each rank of a node exchanges a slice in rounds.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/rounds/whole_bytes.hpp>
#include <topomp/core/detail/fixed_text.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
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
/// An all_reduce halves what a lane exchanges, and gathers it, until parts are at most `WholeBytes` long:
/// these are exchanged whole, which sends more bytes in fewer rounds. More pay where nodes have few ranks or
/// the network is fast, because all lanes of a node share its link.
///
/// There are as many lanes as the smallest node has ranks. Of a larger node the first ranks exchange, after
/// all have combined.
///
/// Where nodes have no memory or one has a single rank, and where the operation does not commute, it is
/// `mpi_calls` between one rank of each node. `barrier` is `mpi_calls`, too.
/// @see J. L. Träff and S. Hunold, 'Decomposing MPI collectives for exploiting multi-lane communication'
/// (2020)
template <int Radix, std::size_t WholeBytes = detail::whole_bytes_in_rounds>
struct rounds_in_lanes : mpi_calls {
    static_assert(Radix >= 2, "topo::rounds_in_lanes<Radix>: at least two ranks meet in a round");
    /// Not one rank of each node alone takes part.
    static constexpr detail::calls_among_all among_all{nullptr, &detail::lanes_broadcast,
                                                       &detail::lanes_reduce, &detail::lanes_all_reduce};
    static constexpr int radix_of_lanes = Radix; ///< up to so many ranks meet in a round
    /// Up to so many bytes of a lane are exchanged whole in an all_reduce.
    static constexpr std::size_t whole_bytes_of_lanes = WholeBytes;
};

namespace detail {

constexpr fixed_text text_of_rounds_in_lanes(int radix, std::size_t whole_bytes) {
    const fixed_text text = fixed_text{"rounds_in_lanes<"}.with(radix);
    return (whole_bytes == whole_bytes_in_rounds ? text : text.with(", ").with(whole_bytes)).with(">");
}
template <int Radix, std::size_t WholeBytes>
inline constexpr fixed_text name_of_rounds_in_lanes = text_of_rounds_in_lanes(Radix, WholeBytes);
template <int Radix, std::size_t WholeBytes>
inline constexpr std::string_view level_algorithm_name<rounds_in_lanes<Radix, WholeBytes>> =
    name_of_rounds_in_lanes<Radix, WholeBytes>.view();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#endif
