// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of broadcast that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/circulant.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/lanes.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/split_trees.hpp>
#include <topomp/collective/engines/tree.hpp>
