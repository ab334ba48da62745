// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of reduce that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/circulant.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/lanes.hpp>
#include <topomp/collective/engines/rabenseifner.hpp>
#include <topomp/collective/engines/tree.hpp>
