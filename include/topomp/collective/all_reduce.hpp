// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on every rank.
#pragma once

#include <topomp/collective/all_reduce_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_reduce_engines.ipp>
#endif
