// SPDX-License-Identifier: BSL-1.0
/// @file
/// The version, once: CMake and pkg-config read it from the three macros below.
#pragma once

#include <string_view>

/// The first number of the version.
#define TOPOMP_VERSION_MAJOR 0
/// The second number of the version.
#define TOPOMP_VERSION_MINOR 1
/// The third number of the version.
#define TOPOMP_VERSION_PATCH 0

#define TOPOMP_TEXT_OF(value) #value
#define TOPOMP_VERSION_TEXT(major, minor, patch)                                                             \
    TOPOMP_TEXT_OF(major) "." TOPOMP_TEXT_OF(minor) "." TOPOMP_TEXT_OF(patch)

namespace topo {

/// The version of these headers, such as `0.1.0`.
inline constexpr std::string_view version =
    TOPOMP_VERSION_TEXT(TOPOMP_VERSION_MAJOR, TOPOMP_VERSION_MINOR, TOPOMP_VERSION_PATCH);

} // namespace topo

#undef TOPOMP_VERSION_TEXT
#undef TOPOMP_TEXT_OF
