// SPDX-License-Identifier: BSL-1.0
/// @file
/// Objects of any type that live as long as something else.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// One object of each type that was asked for, made at the first time. Destroyed in the opposite order.
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
