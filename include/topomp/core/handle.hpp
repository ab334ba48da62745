// SPDX-License-Identifier: BSL-1.0
/// @file
/// A handle class that owns an object of a C library.
#pragma once

#include <utility>

namespace topo {

/// Sole owner of a C library's handle: movable, not copyable.
///
/// @tparam Traits what is owned: `using type`, `static type null()`, `static void destroy(type) noexcept`.
template <class Traits>
class handle {
public:
    /// The C library's type.
    using native_handle_type = typename Traits::type;

    handle() noexcept = default;
    /// Takes over a handle, which nothing else may free.
    static handle adopt(native_handle_type raw) noexcept {
        handle owner;
        owner.raw_ = raw;
        return owner;
    }
    handle(handle&& other) noexcept : raw_(std::exchange(other.raw_, Traits::null())) {}
    handle& operator=(handle&& other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;
    ~handle() {
        if (raw_ != Traits::null()) Traits::destroy(raw_);
    }

    /// The handle, lent.
    native_handle_type native_handle() const noexcept { return raw_; }
    /// Whether it owns a handle.
    explicit operator bool() const noexcept { return raw_ != Traits::null(); }

private:
    native_handle_type raw_ = Traits::null();
};

} // namespace topo
