// SPDX-License-Identifier: BSL-1.0
/// @file
/// How short parts are that all_reduces in rounds do not halve.
#pragma once

#include <cstddef>

namespace topo::detail {

/// Bytes up to which Rabenseifner's algorithm exchanges whole parts: shorter ones are not worth a message of
/// their own.
inline constexpr std::size_t whole_bytes_in_rounds = 512;

} // namespace topo::detail
