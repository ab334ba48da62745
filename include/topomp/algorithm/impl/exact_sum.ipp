// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cmath>

namespace topo::detail {

TOPOMP_INLINE float scaled(float number, int power) { return std::ldexp(number, power); }

TOPOMP_INLINE double scaled(double number, int power) { return std::ldexp(number, power); }

} // namespace topo::detail
