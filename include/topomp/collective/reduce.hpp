// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on one rank.
#pragma once

#include <topomp/collective/reduce_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce_engines.ipp>
#endif
