// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether a new communicator may number its ranks anew.
#pragma once

namespace topo {

/// Whether ranks may get another number than they have.
enum class reordering {
    allowed, ///< the mapping decides
    off      ///< each keeps the number that it has in the communicator given
};

} // namespace topo
