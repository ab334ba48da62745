// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of all_to_all that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/bruck.hpp>
#include <topomp/collective/engines/flat_all_to_all.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
