// SPDX-License-Identifier: BSL-1.0
/// @file
/// Attachments: objects of any type that live as long as their owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// One object per type, made at first use. Destroyed in the opposite order.
class attachments {
public:
    attachments() = default;
    attachments(const attachments&) = delete;
    attachments& operator=(const attachments&) = delete;
    ~attachments();

    /// @param make a function that returns a `std::shared_ptr<T>` @cost a few loads, unless it is made
    template <class T, class Make>
    T& get(Make make) {
        const void* const key = &key_of<T>;
        const first& known = first_[slot_of(key)];
        if (known.key == key) [[likely]]
            return *static_cast<T*>(known.object);
        void* found = find(key);
        if (found == nullptr) found = add(key, make());
        return *static_cast<T*>(found);
    }

private:
    template <class T>
    static inline char key_of = 0;

    /// The first object of those whose keys have the same slot. Keys are bytes that lie near each other.
    struct first {
        const void* key = nullptr;
        void* object = nullptr;
    };
    static constexpr std::size_t slots = 16;
    static std::size_t slot_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key) % slots; }

    void* find(const void* key) const;
    void* add(const void* key, std::shared_ptr<void> object);

    std::array<first, slots> first_{};
    std::vector<std::pair<const void*, std::shared_ptr<void>>> objects_; ///< by key
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/attachments.ipp>
#endif
