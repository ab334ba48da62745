// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of barrier that have a non-blocking form.
#pragma once

#include <topomp/collective/engines/dissemination.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/tree.hpp>
