// SPDX-License-Identifier: BSL-1.0
/// @file
/// Attachments: objects of any type that live as long as their owner.
#pragma once

#include <topomp/core/detail/atomic_value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace topo::detail {

/// One object per type, made at first use. Destroyed in the opposite order. While one thread makes an object,
/// others may look up theirs: one hierarchy may have a progress thread.
class attachments {
public:
    attachments() = default;
    attachments(const attachments&) = delete;
    attachments& operator=(const attachments&) = delete;
    ~attachments();

    /// @param make a function that returns a `std::shared_ptr<T>` @cost a few loads, unless it is made
    template <class T, class Make>
    T& get(Make make) {
        if (T* const known = find<T>(); known != nullptr) return *known;
        return *static_cast<T*>(add(&key_of<T>, make()));
    }

    /// Null before it is made.
    template <class T>
    T* find() const {
        const void* const key = &key_of<T>;
        for (const entry* each = first_[slot_of(key)].load_acquire(); each != nullptr;
             each = each->next.load_acquire())
            if (each->key == key) return static_cast<T*>(each->object.get());
        return nullptr;
    }

private:
    template <class T>
    static inline char key_of = 0;

    struct entry {
        const void* key = nullptr;
        std::shared_ptr<void> object;
        entry* made_before = nullptr;
        atomic_value<entry*> next; ///< of those whose keys have the same slot
    };
    /// Keys are bytes that lie near each other.
    static constexpr std::size_t slots = 16;
    static std::size_t slot_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key) % slots; }

    void* add(const void* key, std::shared_ptr<void> object);

    std::array<atomic_value<entry*>, slots> first_;
    atomic_value<entry*> last_made_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/attachments.ipp>
#endif
