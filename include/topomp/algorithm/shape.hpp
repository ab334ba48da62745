// SPDX-License-Identifier: BSL-1.0
/// @file
/// Trees over 0 ... n-1 as pure functions.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <vector>

namespace topo {

/// A tree over 0 ... n-1 with root 0. `S::parent(v, n)` is v's parent, -1 for the root; `S::children(v, n,
/// f)` calls `f(child)` for each child, in a full tree the one with the most below it first. `S::is_interval`
/// says whether what hangs below any v, with v itself, is an interval that begins at v: then a reduction can
/// preserve the order of operands.
template <class S>
concept shape = requires(int v, int n, void (*f)(int)) {
    { S::parent(v, n) } -> std::same_as<int>;
    S::children(v, n, f);
    { S::is_interval } -> std::convertible_to<bool>;
};

/// Every rank is a child of the root. Fewest steps if the sender's overhead is negligible.
///
///     0 - 1, 2, 3, 4, 5, 6, 7
struct linear {
    /// Whether what is below a rank is an interval, see `shape`.
    static constexpr bool is_interval = true;
    /// The parent of v in a tree of n; -1 for the root.
    static constexpr int parent(int v, int) { return v == 0 ? -1 : 0; }
    /// Calls `f(child)` for the children of v, in the order in which v sends.
    template <class F>
    static constexpr void children(int v, int n, F f) {
        for (int child = 1; v == 0 && child < n; ++child)
            f(child);
    }
};

/// Each rank has one child. In segments this is a pipeline, the fastest shape for very long messages.
///
///     0 - 1 - 2 - 3 - 4 - 5 - 6 - 7
struct chain {
    /// Whether what is below a rank is an interval, see `shape`.
    static constexpr bool is_interval = true;
    /// The parent of v in a tree of n; -1 for the root.
    static constexpr int parent(int v, int) { return v - 1; }
    /// Calls `f(child)` for the children of v, in the order in which v sends.
    template <class F>
    static constexpr void children(int v, int n, F f) {
        if (v + 1 < n) f(v + 1);
    }
};

namespace detail {

/// `k_ary` with a run-time number.
struct k_ary_rule {
    static constexpr bool is_interval(int k) { return k == 1; }
    static constexpr int parent(int v, int, int k) { return v == 0 ? -1 : (v - 1) / k; }
    template <class F>
    static constexpr void children(int v, int n, int k, F f) {
        // v * k + 1 could pass the largest int, so compare the other way round.
        if (v > (n - 2) / k) return;
        for (int child = v * k + 1, left = k; left > 0 && child < n; ++child, --left)
            f(child);
    }
};

/// `k_nomial` with a run-time number.
struct k_nomial_rule {
    static constexpr bool is_interval(int) { return true; }
    static constexpr int parent(int v, int, int k) {
        if (v == 0) return -1;
        const int stride = lowest_stride(v, k);
        return v - v / stride % k * stride;
    }
    template <class F>
    static constexpr void children(int v, int n, int k, F f) {
        const int limit = v == 0 ? n : lowest_stride(v, k);
        int stride = 1;
        while (stride <= (limit - 1) / k)
            stride *= k;
        for (; stride >= 1 && stride < limit; stride /= k)
            for (long long child = 1LL * v + stride, last = v + (k - 1LL) * stride;
                 child <= last && child < n; child += stride)
                f(static_cast<int>(child));
    }

private:
    /// The place value of v's lowest digit, to base k, that is not 0.
    static constexpr int lowest_stride(int v, int k) {
        int stride = 1;
        while (v / stride % k == 0)
            stride *= k;
        return stride;
    }
};

/// `postal` with a run-time number.
struct postal_rule {
    static constexpr bool is_interval(int) { return true; }
    static constexpr int parent(int v, int n, int lambda) {
        int above = -1;
        descend(v, n, lambda, [&](int at) { above = at; });
        return above;
    }
    template <class F>
    static constexpr void children(int v, int n, int lambda, F f) {
        for_children(v, descend(v, n, lambda, [](int) {}), lambda, [&](int child, int) { f(child); });
    }

private:
    /// Calls `f(child, end of what is below it)` for the children of v, if everything from v to `end` is v's.
    template <class F>
    static constexpr void for_children(int v, int end, int lambda, F f) {
        // holders[t]: how many have the message after t sends, the first among them.
        std::vector<int> holders;
        const auto delay = static_cast<std::size_t>(lambda);
        do {
            const std::size_t t = holders.size();
            holders.push_back(t < delay ? 1
                                        : std::min(holders[t - 1] + holders[t - delay],
                                                   std::numeric_limits<int>::max() / 2));
        } while (holders.back() < end - v);
        for (std::size_t time = holders.size() - 1; end > v + 1; --time) {
            const int child = std::max(v + 1, end - holders[time - delay]);
            f(child, end);
            end = child;
        }
    }

    /// The end of v's interval; visits all ancestors of v, the root first.
    template <class F>
    static constexpr int descend(int v, int n, int lambda, F visit) {
        int at = 0, end = n;
        while (at != v) {
            visit(at);
            int next = at, next_end = end;
            for_children(at, end, lambda, [&](int child, int child_end) {
                if (v < child || v >= child_end) return;
                next = child;
                next_end = child_end;
            });
            at = next;
            end = next_end;
        }
        return end;
    }
};

/// A shape of which a rule and its number are the parent and the children.
template <class Rule, int Number>
struct numbered_shape {
    static constexpr bool is_interval = Rule::is_interval(Number);
    static constexpr int parent(int v, int n) { return Rule::parent(v, n, Number); }
    template <class F>
    static constexpr void children(int v, int n, F f) {
        Rule::children(v, n, Number, f);
    }
};

} // namespace detail

/// Up to K children each, numbered level by level as in a heap.
///
///     K = 2:   0 - 1 - 3 - 7
///                |   ` 4
///                ` 2 - 5, 6
template <int K>
struct k_ary : detail::numbered_shape<detail::k_ary_rule, K> {
    static_assert(K >= 1,
                  "topo::k_ary<K>: a rank needs room for at least one child, so K must be at least 1");
};

/// Up to two children each.
using binary = k_ary<2>;

/// In each round every rank that has the message sends it to K - 1 others.
///
///     K = 2:   0 - 4 - 6 - 7
///                |   ` 5
///                | 2 - 3
///                ` 1
template <int K>
struct k_nomial : detail::numbered_shape<detail::k_nomial_rule, K> {
    static_assert(K >= 2,
                  "topo::k_nomial<K>: in each round the holders grow K-fold, so K must be at least 2");
};

/// In each round every rank that has the message sends it to one other.
using binomial = k_nomial<2>;

/// The fastest tree where a message arrives `Lambda` sends after it is sent: every rank that has the message
/// sends it on, one message after the other, and each child gets the largest subtree that receives the
/// message in time. With Lambda = 1 this is binomial, with a large one linear.
///
///     Lambda = 3:   0 - 4 - 5
///                     | 3
///                     | 2
///                     ` 1
///
/// @see A. Bar-Noy, S. Kipnis: Designing Broadcasting Algorithms in the Postal Model for Message-Passing
/// Systems (1994), section 3
template <int Lambda>
struct postal : detail::numbered_shape<detail::postal_rule, Lambda> {
    static_assert(Lambda >= 1,
                  "topo::postal<Lambda>: a message cannot arrive before it is sent, so Lambda must be at "
                  "least 1");
};

/// A balanced binary tree whose subtrees are intervals: v, then the half next to it, then the other half.
///
///     0 - 1 - 2 - 3
///       |   ` 4
///       ` 5 - 6, 7
struct in_order_binary {
private:
    /// Where the second half of what is below v begins, if everything from v to `end` is v's.
    static constexpr int half(int v, int end) { return v + 1 + (end - v) / 2; }

    /// The end of v's interval; visits all ancestors of v, the root first.
    template <class F>
    static constexpr int descend(int v, int n, F visit) {
        int at = 0, end = n;
        while (at != v) {
            visit(at);
            const int second = half(at, end);
            if (v < second) {
                ++at;
                end = second;
            } else {
                at = second;
            }
        }
        return end;
    }

public:
    /// Whether what is below a rank is an interval, see `shape`.
    static constexpr bool is_interval = true;
    /// The parent of v in a tree of n; -1 for the root.
    static constexpr int parent(int v, int n) {
        int above = -1;
        descend(v, n, [&](int at) { above = at; });
        return above;
    }
    /// Calls `f(child)` for the children of v, in the order in which v sends.
    template <class F>
    static constexpr void children(int v, int n, F f) {
        const int end = descend(v, n, [](int) {});
        if (v + 1 < end) f(v + 1);
        const int second = half(v, end);
        if (second < end) f(second);
    }
};

/// The root has one child, which is the root of a tree of another shape: the root sends the message once.
///
///     below_single_child<in_order_binary>:   0 - 1 - 2 - 3
///                                                |   ` 4
///                                                ` 5 - 6, 7
template <shape Shape>
struct below_single_child {
    /// Whether what is below a rank is an interval, see `shape`.
    static constexpr bool is_interval = Shape::is_interval;
    /// The parent of v in a tree of n; -1 for the root.
    static constexpr int parent(int v, int n) { return v <= 1 ? v - 1 : 1 + Shape::parent(v - 1, n - 1); }
    /// Calls `f(child)` for the children of v, in the order in which v sends.
    template <class F>
    static constexpr void children(int v, int n, F f) {
        if (v > 0) return Shape::children(v - 1, n - 1, [&](int child) { f(child + 1); });
        if (n > 1) f(1);
    }
};

} // namespace topo
