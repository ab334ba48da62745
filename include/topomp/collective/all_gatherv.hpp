// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from all ranks to all ranks, in rank order.
#pragma once

#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>
