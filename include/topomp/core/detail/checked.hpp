// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether collectives are checked.
#pragma once

#include <type_traits>

namespace topo::detail {

/// Whether each collective first compares what its ranks passed. Set by `TOPOMP_CHECKED`, which has to be
/// defined in all files of a program, `topomp::compiled` included, or in none.
#ifdef TOPOMP_CHECKED
inline constexpr bool is_checked = true;
#else
inline constexpr bool is_checked = false;
#endif

#ifdef TOPOMP_COMPILED
/// Never called. `topomp::compiled` defines the one for its own setting of the checks, and every file of a
/// program refers to the one for its setting, so a mismatch fails to link.
void compiled_with_checks(std::bool_constant<is_checked>);

[[gnu::used]] static constexpr auto fits_compiled = &compiled_with_checks;
#endif

} // namespace topo::detail
