// SPDX-License-Identifier: BSL-1.0
/// @file
/// Waits for several requests.
#pragma once

#include <topomp/collective/request.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/ranges.hpp>

#include <concepts>
#include <iterator>

namespace topo {

/// What has started and ends: `request` and `persistent`.
template <class T>
concept waitable = requires(T& one) {
    { one.active() } -> std::convertible_to<bool>;
    { one.test() } -> std::convertible_to<bool>;
    one.wait();
};

namespace detail {

/// Waits until an operation of `common` has advanced, or returns at once if `is_enough()`. If `common` is
/// null, gives up the core once.
void await_progress(in_flight* common, function_ref<bool()> is_enough);

/// Advances an operation as far as the messages that have arrived allow. @return whether it is complete, or
/// has failed. Local
bool is_complete(operation& one) noexcept;

/// Which operations go on while one is waited for.
struct progress_of {
    /// Null: several, or those of several hierarchies.
    template <waitable T>
    static in_flight* among(const T& one) {
        if constexpr (requires { one.among(); })
            return one.among();
        else
            return one.among_;
    }
    /// Whether an active one is complete, which another call may have found. @pre `among` is not null
    template <waitable T>
    static bool is_complete(const T& one) {
        if constexpr (requires { one.running(); })
            return detail::is_complete(*one.running());
        else
            return detail::is_complete(*one.running_);
    }
};

/// The one list of operations to which all active requests belong, or null.
template <class Requests>
in_flight* common_progress(Requests& requests) {
    in_flight* common = nullptr;
    for (auto& each : requests) {
        if (!each.active()) continue;
        in_flight* const own = progress_of::among(each);
        if (own == nullptr || (common != nullptr && own != common)) return nullptr;
        common = own;
    }
    return common;
}

} // namespace detail

/// A range of requests, such as `std::vector<topo::request>` or `std::array<topo::persistent, 3>`.
template <class R>
concept requests = std::ranges::forward_range<R> && waitable<std::ranges::range_value_t<R>>;

/// Goes on with all without waiting. @return whether all are complete on this rank
template <requests Requests>
bool test_all(Requests&& range) {
    bool are_complete = true;
    for (auto& each : range)
        are_complete = each.test() && are_complete;
    return are_complete;
}

/// Waits for all of them, which may be of several hierarchies: ranks may wait for them in different orders.
/// Those that are not active are skipped. @throws what `wait` throws; the others are then as they were
template <requests Requests>
void wait_all(Requests&& range) {
    if (detail::common_progress(range) != nullptr) { // which goes on with all while it waits for one
        for (auto& each : range)
            each.wait();
        return;
    }
    while (!test_all(range))
        detail::await_progress(nullptr, [] { return false; });
}

/// Goes on with all without waiting. @return one that was active and is complete now; the end: none is
template <requests Requests>
std::ranges::borrowed_iterator_t<Requests> test_any(Requests&& range) {
    for (auto each = std::ranges::begin(range); each != std::ranges::end(range); ++each)
        if (each->active() && each->test()) return each;
    return std::ranges::end(range);
}

/// Waits until one that is active is complete. @return it; the end: none was active
template <requests Requests>
std::ranges::borrowed_iterator_t<Requests> wait_any(Requests&& range) {
    while (true) {
        bool is_any_active = false;
        for (auto each = std::ranges::begin(range); each != std::ranges::end(range); ++each) {
            if (!each->active()) continue;
            is_any_active = true;
            if (each->test()) return each;
        }
        if (!is_any_active) return std::ranges::end(range);
        detail::await_progress(detail::common_progress(range), [&range] {
            for (auto& each : range)
                if (each.active() && detail::progress_of::is_complete(each)) return true;
            return false;
        });
    }
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/wait.ipp>
#endif
