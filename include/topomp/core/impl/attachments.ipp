// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/attachments.hpp>
#include <topomp/core/detail/inline.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void* attachments::add(const void* key, std::shared_ptr<void> object) {
    auto made = std::make_unique<entry>();
    made->key = key;
    made->object = std::move(object);
    entry* const it = made.release(); // the list's, which deletes it at the end
    it->made_before = last_made_.exchange(it, std::memory_order_acq_rel);
    std::atomic<entry*>* end = &first_[slot_of(key)];
    for (entry* there = nullptr; !end->compare_exchange_strong(there, it, std::memory_order_acq_rel);
         there = nullptr)
        end = &there->next;
    return it->object.get();
}

TOPOMP_INLINE attachments::~attachments() {
    // An object that ends may look for those that were made before it.
    while (const std::unique_ptr<entry> last{last_made_.load()}) {
        last_made_ = last->made_before;
        std::atomic<entry*>* at = &first_[slot_of(last->key)];
        while (at->load() != last.get())
            at = &at->load()->next;
        *at = last->next.load();
    }
}

} // namespace topo::detail
