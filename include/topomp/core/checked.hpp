// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether collectives are checked.
#pragma once

namespace topo::detail {

/// Whether each collective first compares what its ranks passed. Set by `TOPOMP_CHECKED`, which has to be
/// defined in all files of a program, `topomp::compiled` included, or in none.
#ifdef TOPOMP_CHECKED
inline constexpr bool is_checked = true;
#else
inline constexpr bool is_checked = false;
#endif

} // namespace topo::detail
