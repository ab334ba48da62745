// SPDX-License-Identifier: BSL-1.0
/// @file
/// No rank returns before all ranks have called.
#pragma once

#include <topomp/collective/barrier_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/barrier_engines.ipp>
#endif
