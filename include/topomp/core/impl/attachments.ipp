// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/atomic_value.hpp>
#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/inline.hpp>

#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void* attachments::add(const void* key, std::shared_ptr<void> object) {
    auto made = std::make_unique<entry>();
    made->key = key;
    made->object = std::move(object);
    entry* const it = made.release(); // the list's, which deletes it at the end
    it->made_before = last_made_.exchange(it);
    atomic_value<entry*>* end = &first_[slot_of(key)];
    for (entry* there = nullptr; !end->compare_exchange(there, it); there = nullptr)
        end = &there->next;
    return it->object.get();
}

TOPOMP_INLINE attachments::~attachments() {
    // An object that ends may look for those that were made before it.
    while (const std::unique_ptr<entry> last{last_made_.load_acquire()}) {
        last_made_.store_release(last->made_before);
        atomic_value<entry*>* at = &first_[slot_of(last->key)];
        while (at->load_acquire() != last.get())
            at = &at->load_acquire()->next;
        at->store_release(last->next.load_acquire());
    }
}

} // namespace topo::detail
