// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of all_reduce that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/bine.hpp>
#include <topomp/collective/engines/circulant_all_reduce.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/lanes.hpp>
#include <topomp/collective/engines/rabenseifner.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/ring.hpp>
#include <topomp/collective/engines/tree.hpp>
