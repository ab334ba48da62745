// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sparse exchange: each rank sends to some ranks; receivers do not know the senders in advance.
#pragma once

#include <topomp/core/detail/says.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/detail/sparse_values.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <map>

namespace topo {

/// Sends each value to the rank that is its key, and returns what was sent to the calling rank, by the rank
/// that sent it. A rank need not know from which ranks
/// it will receive.
///
/// ```
///   auto requests = topo::sparse_exchange(levels, std::map<int, std::vector<int>>{{7, {3, 5}}});
/// ```
///
/// @param data any map with one value for each rank in it: containers of trivially copyable elements, which
/// may be empty, trivially copyable values, or values of any type that Boost.Serialization knows; no pointers
/// and no views, such as `std::span`. Keys are integers; the calling rank may be among them. All ranks have
/// the same types
/// @param route `best`: lengths first, through the memory of nodes, if all ranks are in one or in few nodes
/// beside the ranks of each; else by node, if that are fewer messages for the rank with the most. Must be the
/// same on all ranks
/// @collective over the whole
/// @cost Lengths first: an all-to-all of integers and one of the blocks, each with a message for each pair of
/// nodes. Else ceil(log2 p) messages of five integers, in which p ranks agree. Directly a message for each
/// value, which the receiver acknowledges, and ceil(log2 p) messages at the end. By node, blocks for another
/// node go to its carrier, to the carrier there, and to their ranks, the first and the last after an
/// all-to-all of lengths in the node
/// @throws argument_error on every rank if a key is no rank, or a value has more than INT_MAX bytes or cannot
/// be serialized (that rank throws what its value threw), or by node, if `by_node` was asked for and blocks
/// that travel together may have more; on a rank that gets bytes which are no values of its type; usage_error
/// if a sparse exchange of this hierarchy has failed on the calling rank
/// @see T. Hoefler, C. Siebert and A. Lumsdaine, 'Scalable communication protocols for dynamic sparse data
/// exchange' (2010): NBX; G. Collom, D. Burger and A. Bienz, 'A locality-aware sparse dynamic data exchange'
/// (2024)
template <detail::map_of_ranks M>
std::map<int, typename M::mapped_type> sparse_exchange(const hierarchy& levels, const M& data,
                                                       neighbour_route route = neighbour_route::best) {
    using value = typename M::mapped_type;
    detail::require_open("topo::sparse_exchange", levels);
    std::map<int, value> result;
    detail::sparse_exchange(levels, detail::packed(levels, data), route, {&result, detail::unpack<value>});
    return result;
}

/// What is no such map does not compile: the message says what is.
template <class M>
    requires(!detail::map_of_integers<M>)
void sparse_exchange(const hierarchy&, const M&, neighbour_route = neighbour_route::best) TOPOMP_REFUSED(
    "topo: sparse_exchange takes a map from ranks, which are integers, to one value each, such as "
    "std::map<int, std::vector<double>>");

/// Neither do values that cannot be sent.
template <detail::map_of_integers M>
    requires(!detail::sparse_value<typename M::mapped_type>)
void sparse_exchange(const hierarchy&, const M&, neighbour_route = neighbour_route::best)
    TOPOMP_REFUSED("topo: sparse_exchange cannot send values of this type: a pointer, a span or another view "
                   "has to become a "
                   "container of what it points to; a class needs a serialize member or function, a "
                   "container of other than plain "
                   "elements its header in <boost/serialization/...>");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void sparse_exchange(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
