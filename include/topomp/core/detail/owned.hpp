// SPDX-License-Identifier: BSL-1.0
/// @file
/// The sole owner of an object, for headers.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

/// As `std::unique_ptr`, for members of classes that programs read: each type of a `std::unique_ptr` costs
/// GCC half a percent of what a program with Boost.MPI takes to compile.
template <class T>
class owned {
public:
    owned() noexcept = default;
    // No constructor: each move would ask whether there is a conversion, and so instantiate
    // `std::unique_ptr`.
    static owned of(std::unique_ptr<T> made) noexcept {
        owned owner;
        owner.object_ = made.release();
        return owner;
    }
    owned(owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    owned& operator=(owned&& other) noexcept {
        owned taken{std::move(other)};
        swap(taken);
        return *this;
    }
    owned(const owned&) = delete;
    owned& operator=(const owned&) = delete;
    ~owned() {
        static_assert(sizeof(T) > 0);
        delete object_;
    }

    T* get() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }
    friend bool operator==(const owned& one, std::nullptr_t) noexcept { return one.object_ == nullptr; }

    void swap(owned& other) noexcept { std::swap(object_, other.object_); }
    void reset() noexcept { static_cast<void>(owned{std::move(*this)}); }
    /// Gives it away.
    std::unique_ptr<T> release() noexcept { return std::unique_ptr<T>{std::exchange(object_, nullptr)}; }

private:
    T* object_ = nullptr;
};

} // namespace topo::detail
