// SPDX-License-Identifier: BSL-1.0
/// @file
/// How often a randomised test repeats.
#pragma once

namespace topo_test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// The number itself; a twentieth of it where the sanitizers make everything so much slower.
constexpr int repetitions(int full) { return is_sanitized ? full / 20 : full; }

} // namespace topo_test
