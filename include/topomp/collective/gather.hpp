// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of one length from all ranks to one.
#pragma once

#include <topomp/collective/gather_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/gather_engines.ipp>
#endif
