// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined, a block of the result for each rank.
#pragma once

#include <topomp/collective/reduce_scatter_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce_scatter_engines.ipp>
#endif
