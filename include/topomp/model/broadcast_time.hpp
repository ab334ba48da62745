// SPDX-License-Identifier: BSL-1.0
/// @file
/// How long broadcasts and reductions take: over one tree of all levels, and from level to level.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/model/level_cost.hpp>

#include <span>

namespace topo::model {

/// The seconds of a broadcast from rank 0 down the one tree that a shape per level composes, as `per_level`
/// does. Of a reduction if each message costs what combining costs besides (`costs_of`).
/// @param shapes one for each level, or one for all @param levels the costs of a segment
/// @cost linear in the number of ranks; of one segment, in the sum of the levels' members
double broadcast_time(std::span<const any_shape> shapes, std::span<const level_cost> levels,
                      double segments = 1);

/// The same where the two halves of the message go down different trees, as in `split_binary`: at each rank a
/// segment of the first half goes before one of the second.
/// @param levels the costs of a segment of a half @param segments of each half
double split_broadcast_time(std::span<const any_shape> first, std::span<const any_shape> second,
                            std::span<const level_cost> levels, double segments = 1);

/// The seconds of a broadcast from level to level, each beginning when the one before has ended, as
/// `hierarchical` does: the sum over the levels. @see paper 1, section 6
/// @param shapes one for each level, or one for all
double hierarchical_time(std::span<const any_shape> shapes, std::span<const level_cost> levels,
                         double segments = 1);

/// The same in halves, as with `split_binary` in each level.
double split_hierarchical_time(const any_shape& first, const any_shape& second,
                               std::span<const level_cost> levels, double segments = 1);

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/broadcast_time.ipp>
#endif
