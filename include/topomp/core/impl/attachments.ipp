// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/inline.hpp>

#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void* attachments::find(const void* key) const {
    for (const auto& [known, object] : objects_)
        if (known == key) return object.get();
    return nullptr;
}

TOPOMP_INLINE void* attachments::add(const void* key, std::shared_ptr<void> object) {
    void* const made = object.get();
    objects_.emplace_back(key, std::move(object));
    if (first& place = first_[slot_of(key)]; place.key == nullptr) place = {key, made};
    return made;
}

TOPOMP_INLINE attachments::~attachments() {
    while (!objects_.empty()) {
        if (first& place = first_[slot_of(objects_.back().first)]; place.key == objects_.back().first)
            place = {};
        objects_.pop_back();
    }
}

} // namespace topo::detail
