// SPDX-License-Identifier: BSL-1.0
/// @file
/// Edges of trees that depend on which ranks are in which node, apart from those of all other trees.
#pragma once

#include <topomp/core/detail/atomic_value.hpp>

namespace topo::detail {

class context;
struct tree_edges;
struct tree_plan;

/// The calling rank's edges in the tree of a plan with `node_aware` or `through`.
/// @collective over the whole the first time, as `context::by_node`
tree_edges make_node_edges(context& ranks, const tree_plan& plan, int root);

using node_edges_function = tree_edges (*)(context&, const tree_plan&, int);

/// What makes these edges. A program that uses headers only contains it only if one of its policies can need
/// it: null until such a call.
#ifdef TOPOMP_COMPILED
extern atomic_value<node_edges_function> node_edges_maker;
#else
inline constinit atomic_value<node_edges_function> node_edges_maker{nullptr};
#endif

/// Before a call that can need them. @cost a load; a store the first time, so that threads do not write to
/// one line in turn
inline void bring_node_edges() noexcept {
#ifndef TOPOMP_COMPILED
    if (node_edges_maker.load_relaxed() == nullptr) node_edges_maker.store_relaxed(&make_node_edges);
#endif
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/context/impl/node_edges.ipp>
#endif
