// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether a persistent collective goes through the memory of each node.
#pragma once

#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

/// Whether `prepare_posts` can do what a plan of the blocking form does, or operands are short enough for it,
/// and some ranks share a node. @collective over the whole the first time
bool take_posts(const hierarchy& levels, const plan& blocking, const message& operands, bool is_commutative);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/prepared_posts.ipp>
#endif
