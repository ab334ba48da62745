// SPDX-License-Identifier: BSL-1.0
/// @file
/// The two kinds of scan.
#pragma once

namespace topo::detail {

/// Whether a rank's own data are in its result.
enum class scan_kind { inclusive, exclusive };

} // namespace topo::detail
