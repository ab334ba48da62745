// SPDX-License-Identifier: BSL-1.0
/// @file
/// Values that threads, or ranks that share memory, read and write without a lock.
#pragma once

namespace topo::detail {

// Not <atomic>, which costs every file a fiftieth of a program of Boost.MPI's: the builtins that GCC's and
// Clang's standard libraries make it of. T is a pointer, an integer or a bool.

/// Without an order.
template <class T>
T load_relaxed(const T& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_RELAXED);
}
/// What was written before the value that is seen was stored by `store_release` is seen, too.
template <class T>
T load_acquire(const T& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_ACQUIRE);
}
/// A thread that reads the value by `load_acquire` reads all that was written before it, too.
template <class T>
void store_release(T& to, T value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELEASE);
}

/// A value that is never read or written in another way, as a `std::atomic`.
template <class T>
class atomic_value {
public:
    constexpr atomic_value() noexcept = default;
    constexpr explicit atomic_value(T value) noexcept : value_(value) {}
    atomic_value(const atomic_value&) = delete;
    atomic_value& operator=(const atomic_value&) = delete;

    T load_relaxed() const noexcept { return detail::load_relaxed(value_); }
    T load_acquire() const noexcept { return detail::load_acquire(value_); }
    void store_relaxed(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
    void store_release(T value) noexcept { detail::store_release(value_, value); }
    /// Both as `load_acquire` and as `store_release`. @return what it was before
    T exchange(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQ_REL); }
    /// The same if it is `expected`, which otherwise becomes what it is. @return whether it was
    bool compare_exchange(T& expected, T value) noexcept {
        return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE);
    }

private:
    T value_{};
};

} // namespace topo::detail
