// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from all ranks to one.
#pragma once

#include <topomp/collective/gatherv_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>
