// SPDX-License-Identifier: BSL-1.0
/// @file
/// Non-blocking sparse exchange: each rank sends to some ranks; receivers do not know the senders in advance.
#pragma once

#include <topomp/collective/request.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_bytes.hpp>
#include <topomp/neighbour/detail/sparse_values.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <map>

namespace topo {

/// Starts what `sparse_exchange` does: `isparse_exchange(levels, data, result)`. The data may change at once,
/// for what is sent is a copy. When the request is complete, the result has what came and nothing else; until
/// then it must stay where it is, and must not be read.
///
/// Of several under way on one hierarchy each begins to send when the one before it is complete on its rank.
///
/// @param data, route as for `sparse_exchange`
/// @param result what came, by the rank that sent it
/// @return a request; progress as for others of the hierarchy. Local, but for the first sparse exchange of a
/// hierarchy, or exchange on one of its neighbourhoods
/// @collective over the whole: all ranks start sparse exchanges, blocking ones too, in the same order
/// @throws usage_error if a sparse exchange of this hierarchy has failed on the calling rank. `test` and
/// `wait` throw the argument_errors of `sparse_exchange`
/// @see `sparse_exchange`
template <detail::map_of_ranks M>
request isparse_exchange(const hierarchy& levels, const M& data,
                         std::map<int, typename M::mapped_type>& result,
                         neighbour_route route = neighbour_route::best) {
    detail::require_open("topo::isparse_exchange", levels);
    return detail::isparse_exchange(levels, detail::packed(levels, data), route,
                                    {&result, detail::unpack<typename M::mapped_type>});
}

/// Other data, which `sparse_exchange` does not take either, another result or none do not compile.
template <class M, class... Given>
    requires(!detail::sparse_arguments<M, Given...>)
request isparse_exchange(const hierarchy&, const M&, Given&&...)
TOPOMP_REFUSED("topo: isparse_exchange(levels, data, result) takes the data that sparse_exchange takes, and "
               "for the result a std::map<int, V>, where V is the type of the values that are sent");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void isparse_exchange(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
