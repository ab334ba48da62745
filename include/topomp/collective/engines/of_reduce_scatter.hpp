// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of reduce_scatter that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/flat_reduce_scatter.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/recursive_halving.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
