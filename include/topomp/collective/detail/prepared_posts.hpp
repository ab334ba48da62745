// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent forms that go through the memory of each node.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <boost/mpi/config.hpp>

#include <memory>
#include <optional>

namespace topo::detail {

/// The nodes' ranks that exchange what their nodes have posted.
struct nodes_with_posts {
    /// @collective over the context @cost that of a node's memory, an all-reduce, and a split if there are
    /// several nodes
    explicit nodes_with_posts(context& ranks);

    /// Those of a hierarchy, made at first use. @collective over the whole the first time
    static nodes_with_posts& of(const hierarchy& levels);

    int most_ranks = 1, least_ranks = 1; ///< of a node
    bool is_one = true;                  ///< whether there is one node
    bool is_oversubscribed = false;      ///< whether the only node is
    /// On the ranks of all nodes that have the calling rank's number in their node, if there are several
    /// nodes, and all have so many ranks
    std::optional<hierarchy> lane;
};

/// The same in place for a part of the result, on a lane.
using prepare_in_lane = function_ref<std::unique_ptr<prepared>(const hierarchy& lane, const message& part)>;

/// An all_reduce, of no bytes a barrier: by `posted_multi_object` or `posted_lanes`, if the blocking form
/// does the same, else by `posted_all_reduce` or `posted_slices`. @param between called for the latter two
/// where there are several nodes, on ranks that have a part, collectively over a lane
/// @return null, on every rank, if a node has no memory left @pre `take_posts` @collective over the whole
std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const plan& blocking, const void* input,
                                        const message& result, combination combiner, const char* call,
                                        prepare_in_lane between);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/prepared_posts.ipp>
#endif
