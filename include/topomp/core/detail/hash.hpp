// SPDX-License-Identifier: BSL-1.0
/// @file
/// A text as a number.
#pragma once

#include <cstdint>
#include <string_view>

namespace topo::detail {

/// FNV-1a.
std::uint64_t hash_of(std::string_view text);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/hash.ipp>
#endif
