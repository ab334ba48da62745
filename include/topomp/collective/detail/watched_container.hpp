// SPDX-License-Identifier: BSL-1.0
/// @file
/// A container to which a collective refers for longer than a call.
#pragma once

#include <cstddef>

namespace topo::detail {

/// A container that is a buffer, and where its elements were when it was given.
struct watched_container {
    struct place {
        const void* data;
        std::size_t size;
        friend bool operator==(const place&, const place&) = default;
    };
    const void* container;
    place (*place_of)(const void* container);
    place then;
};

} // namespace topo::detail
