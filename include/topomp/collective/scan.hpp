// SPDX-License-Identifier: BSL-1.0
/// @file
/// Each rank's data combined with that of all ranks before it.
#pragma once

#include <topomp/collective/scan_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scan_engines.ipp>
#endif
