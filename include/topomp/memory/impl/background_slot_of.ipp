// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/background_slot_of.hpp>
#include <topomp/memory/detail/background_work.hpp>

#include <memory>

namespace topo::detail {

/// As an attachment of a hierarchy.
struct kept_background_slot {
    std::shared_ptr<background_slot> slot = std::make_shared<background_slot>();
};

TOPOMP_INLINE std::shared_ptr<background_slot> background_slot_of(const hierarchy& levels) {
    return levels.attachment<kept_background_slot>([] { return std::make_shared<kept_background_slot>(); })
        .slot;
}

TOPOMP_INLINE void share_background_slot(const hierarchy& part,
                                         const std::shared_ptr<background_slot>& of_whole) {
    part.attachment<kept_background_slot>(
        [&] { return std::make_shared<kept_background_slot>(kept_background_slot{of_whole}); });
}

} // namespace topo::detail
