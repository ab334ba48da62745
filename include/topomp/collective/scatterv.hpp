// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from one rank to all.
#pragma once

#include <topomp/collective/scatterv_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>
