// SPDX-License-Identifier: BSL-1.0
/// @file
/// Attachments: objects of any type that live as long as their owner.
#pragma once

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

    /// @param make a function that returns a `std::shared_ptr<T>`
    template <class T, class Make>
    T& get(Make make) {
        const void* const key = &key_of<T>;
        for (const auto& [known, object] : objects_)
            if (known == key) return *static_cast<T*>(object.get());
        std::shared_ptr<T> made = make();
        T& result = *made;
        objects_.emplace_back(key, std::move(made));
        return result;
    }

private:
    template <class T>
    static inline char key_of = 0;

    std::vector<std::pair<const void*, std::shared_ptr<void>>> objects_; ///< by key
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/attachments.ipp>
#endif
