// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/inline.hpp>

#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void* attachments::find(const void* key) {
    for (const auto& [known, object] : objects_)
        if (known == key) {
            last_[slot_of(key)] = {key, object.get()};
            return object.get();
        }
    return nullptr;
}

TOPOMP_INLINE void* attachments::add(const void* key, std::shared_ptr<void> object) {
    void* const made = object.get();
    objects_.emplace_back(key, std::move(object));
    last_[slot_of(key)] = {key, made};
    return made;
}

TOPOMP_INLINE attachments::~attachments() {
    while (!objects_.empty()) {
        last_[slot_of(objects_.back().first)] = {};
        objects_.pop_back();
    }
}

} // namespace topo::detail
