// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of all ranks to all ranks, in rank order.
#pragma once

#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_gather_engines.ipp>
#endif
