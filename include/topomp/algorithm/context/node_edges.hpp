// SPDX-License-Identifier: BSL-1.0
/// @file
/// Edges of trees that depend on which ranks are in which node, apart from those of all other trees.
#pragma once

#include <atomic>

namespace topo::detail {

class context;
struct tree_edges;
struct tree_plan;

/// The calling rank's edges in the tree of a plan with `node_aware` or `through`.
/// @collective over the whole the first time, as `context::by_node`
tree_edges make_node_edges(context& ranks, const tree_plan& plan, int root);

/// What makes these edges. A program that uses headers only contains it only if one of its policies can need
/// it: null until such a call.
#ifdef TOPOMP_COMPILED
extern std::atomic<tree_edges (*)(context&, const tree_plan&, int)> node_edges_maker;
#else
inline constinit std::atomic<tree_edges (*)(context&, const tree_plan&, int)> node_edges_maker{nullptr};
#endif

/// Before a call that can need them. @cost a load; a store the first time, so that threads do not write to
/// one line in turn
inline void bring_node_edges() noexcept {
#ifndef TOPOMP_COMPILED
    if (node_edges_maker.load(std::memory_order_relaxed) == nullptr)
        node_edges_maker.store(&make_node_edges, std::memory_order_relaxed);
#endif
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/context/impl/node_edges.ipp>
#endif
