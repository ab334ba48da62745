// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of all_gather, all_gatherv that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/bruck.hpp>
#include <topomp/collective/engines/circulant_blocks.hpp>
#include <topomp/collective/engines/flat_all_gather.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/neighbour_exchange.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
