// SPDX-License-Identifier: BSL-1.0
// Every shape at every size up to 64: one tree, seen alike from above and from below.
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/two_tree.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace shape_tests {

namespace {

constexpr int most = 64;

template <topo::shape S>
std::vector<int> children(int v, int n) {
    std::vector<int> found;
    S::children(v, n, [&](int child) { found.push_back(child); });
    return found;
}

/// Everything that hangs below v, with v itself, ascending, as found from the leaves upwards.
template <topo::shape S>
std::vector<int> below(int v, int n) {
    std::vector<int> found;
    for (int leaf = 0; leaf < n; ++leaf) {
        int at = leaf;
        for (int steps = 0; at > 0 && at != v && steps < n; ++steps)
            at = S::parent(at, n);
        if (at == v) found.push_back(leaf);
    }
    return found;
}

template <topo::shape S>
int height(int v, int n) {
    int highest = 0;
    for (const int child : children<S>(v, n))
        highest = std::max(highest, 1 + height<S>(child, n));
    return highest;
}

/// Whether parents and children agree, and every rank is reached from 0 exactly once.
template <topo::shape S>
bool is_spanning_tree(int n) {
    if (S::parent(0, n) != -1) return false;
    std::vector<int> reached(static_cast<std::size_t>(n), 0), queue{0};
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (++reached[static_cast<std::size_t>(queue[i])] > 1) return false;
        for (const int child : children<S>(queue[i], n)) {
            if (child < 1 || child >= n || S::parent(child, n) != queue[i]) return false;
            queue.push_back(child);
        }
    }
    return static_cast<int>(queue.size()) == n;
}

template <topo::shape S>
bool has_intervals_only(int n) {
    for (int v = 0; v < n; ++v) {
        const auto ranks = below<S>(v, n);
        if (ranks.front() != v || ranks.back() - v + 1 != static_cast<int>(ranks.size())) return false;
    }
    return true;
}

template <topo::shape S>
bool has_children_by_size(int n) {
    for (int v = 0; v < n; ++v) {
        const auto found = children<S>(v, n);
        if (!std::ranges::is_sorted(found, std::ranges::greater{},
                                    [&](int child) { return below<S>(child, n).size(); }))
            return false;
    }
    return true;
}

template <topo::shape S>
void check_shape() {
    bool always_intervals = true;
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        CHECK(is_spanning_tree<S>(n));
        always_intervals = always_intervals && has_intervals_only<S>(n);
    }
    CHECK(always_intervals == S::is_interval);
}

/// The sum of all parents: can be asked while compiling.
template <topo::shape S>
constexpr int sum_of_parents(int n) {
    int sum = 0;
    for (int v = 0; v < n; ++v)
        S::children(v, n, [&](int child) { sum += v == S::parent(child, n) ? v : 1000000; });
    return sum;
}
static_assert(sum_of_parents<topo::linear>(8) == 0);
static_assert(sum_of_parents<topo::chain>(8) == 0 + 1 + 2 + 3 + 4 + 5 + 6);
static_assert(sum_of_parents<topo::binary>(8) == 0 + 0 + 1 + 1 + 2 + 2 + 3);
static_assert(sum_of_parents<topo::k_ary<3>>(8) == 0 + 0 + 0 + 1 + 1 + 1 + 2);
static_assert(sum_of_parents<topo::binomial>(8) == 0 + 0 + 0 + 2 + 4 + 4 + 6);
static_assert(sum_of_parents<topo::k_nomial<3>>(8) == 0 + 0 + 0 + 0 + 3 + 3 + 6);
static_assert(sum_of_parents<topo::in_order_binary>(8) == 0 + 1 + 2 + 1 + 0 + 5 + 5);

struct nearly {
    static int parent(int v, int) { return v - 1; }
    template <class F>
    static void children(int, int, F) {}
};
static_assert(topo::shape<topo::chain> && topo::shape<topo::k_ary<7>> && topo::shape<topo::k_nomial<7>>);
static_assert(!topo::shape<nearly>, "a shape says whether its subtrees are intervals");
static_assert(!topo::shape<int>);

} // namespace

TEST_CASE_TEMPLATE("a shape is one tree at every size", S, topo::linear, topo::chain, topo::binary,
                   topo::k_ary<1>, topo::k_ary<3>, topo::k_ary<4>, topo::k_ary<9>, topo::binomial,
                   topo::k_nomial<3>, topo::k_nomial<4>, topo::k_nomial<5>, topo::k_nomial<64>,
                   topo::postal<1>, topo::postal<3>, topo::postal<16>, topo::in_order_binary) {
    check_shape<S>();
}

TEST_CASE_TEMPLATE("the child with the most below it comes first", S, topo::linear, topo::chain, topo::binary,
                   topo::k_ary<3>, topo::k_ary<4>, topo::postal<3>, topo::in_order_binary) {
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        CHECK(has_children_by_size<S>(n));
    }
}

TEST_CASE("the child with the most below it comes first in full k-nomial trees") {
    for (int n = 1; n <= most; n *= 2)
        CHECK(has_children_by_size<topo::binomial>(n));
    for (int n = 1; n <= most; n *= 3)
        CHECK(has_children_by_size<topo::k_nomial<3>>(n));
    for (int n = 1; n <= most; n *= 4)
        CHECK(has_children_by_size<topo::k_nomial<4>>(n));
}

TEST_CASE("trees are as high and as wide as they say") {
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        CHECK(height<topo::linear>(0, n) == std::min(1, n - 1));
        CHECK(height<topo::chain>(0, n) == n - 1);
        int rounds = 0; // of doubling, after which every rank has the message
        while (1 << rounds < n)
            ++rounds;
        CHECK(static_cast<int>(children<topo::binomial>(0, n).size()) == rounds);
        CHECK(height<topo::binomial>(0, n) <= rounds);
        int levels = 0; // of a full binary tree of n
        while ((2 << levels) - 1 < n)
            ++levels;
        CHECK(height<topo::binary>(0, n) == levels);
        CHECK(height<topo::in_order_binary>(0, n) == levels);
        for (int v = 0; v < n; ++v) {
            CHECK(children<topo::k_ary<3>>(v, n).size() <= 3);
            CHECK(children<topo::in_order_binary>(v, n).size() <= 2);
        }
    }
}

namespace {

/// When the last of n has the message that the first sends at 0.
template <int Lambda>
int last_arrival(int v, int n, int time = 0) {
    int last = time, sent = 0;
    for (const int child : children<topo::postal<Lambda>>(v, n))
        last = std::max(last, last_arrival<Lambda>(child, n, time + Lambda + sent++));
    return last;
}

/// When n ranks can all have the message: every informed rank sends it to an uninformed one whenever it can.
int earliest(int lambda, int n) {
    std::vector<int> ready{0}; // when each holder's next send can begin
    int last = 0;
    while (static_cast<int>(ready.size()) < n) {
        int& next = *std::ranges::min_element(ready);
        const int arrival = next++ + lambda;
        ready.push_back(arrival);
        last = std::max(last, arrival);
    }
    return last;
}

} // namespace

TEST_CASE("nothing is faster than a postal tree where messages take as long as it thinks") {
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        CHECK(last_arrival<1>(0, n) == earliest(1, n));
        CHECK(last_arrival<2>(0, n) == earliest(2, n));
        CHECK(last_arrival<5>(0, n) == earliest(5, n));
        CHECK(last_arrival<16>(0, n) == earliest(16, n));
    }
}

TEST_CASE_TEMPLATE("each half of a split binary tree is one tree at every size", S,
                   topo::detail::split_binary_half<0>, topo::detail::split_binary_half<1>) {
    check_shape<S>();
}

TEST_CASE("each half goes down one subtree, and every other rank gets it from a partner") {
    using first = topo::detail::split_binary_half<0>;
    using second = topo::detail::split_binary_half<1>;
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        int levels = 0; // of a full binary tree of one subtree's ranks
        while ((1 << levels) - 1 < n / 2)
            ++levels;
        CHECK(height<first>(0, n) <= levels + 1);
        CHECK(height<second>(0, n) <= levels + 1);
        CHECK(children<first>(0, n).size() == (n > 1 ? 1 : 0)); // the root sends everything once
        CHECK(children<second>(0, n).size() == (n > 1 ? 1 : 0));
        for (int v = 1; v < n; ++v) {
            const bool is_left = v <= n / 2;
            const auto left = children<first>(v, n), right = children<second>(v, n);
            CHECK((is_left ? right : left).empty());
            CHECK((is_left ? left : right).size() <= 3);
        }
    }
    using list = std::vector<int>;
    CHECK(children<first>(1, 7) == list{2, 3, 4});
    CHECK(children<first>(2, 7) == list{5});
    CHECK(children<second>(4, 7) == list{5, 6, 1});
    CHECK(children<second>(5, 8) == list{6, 7, 1});
    CHECK(children<second>(7, 8) == list{3, 4}); // two on the last
}

TEST_CASE_TEMPLATE("each half of two binary trees is one tree at every size", S,
                   topo::detail::two_tree_half<0>, topo::detail::two_tree_half<1>) {
    check_shape<S>();
}

TEST_CASE("in two binary trees no rank sends in both, and both are flat") {
    using first = topo::detail::two_tree_half<0>;
    using second = topo::detail::two_tree_half<1>;
    for (int n = 1; n <= most; ++n) {
        INFO("n = " << n);
        int levels = 0; // of a full binary tree of all but the root
        while ((1 << levels) - 1 < n - 1)
            ++levels;
        CHECK(height<first>(0, n) <= levels);
        CHECK(height<second>(0, n) <= levels);
        CHECK(children<first>(0, n).size() == (n > 1 ? 1 : 0)); // the root sends everything once
        CHECK(children<second>(0, n).size() == (n > 1 ? 1 : 0));
        for (int v = 1; v < n; ++v) {
            const auto in_first = children<first>(v, n), in_second = children<second>(v, n);
            CHECK((in_first.empty() || in_second.empty()));
            CHECK(in_first.size() <= 2);
            CHECK(in_second.size() <= 2);
        }
    }
    using list = std::vector<int>;
    CHECK(children<first>(0, 7) == list{4});
    CHECK(children<first>(4, 7) == list{2, 6});
    CHECK(children<first>(6, 7) == list{5});
    CHECK(children<second>(0, 7) == list{3});
    CHECK(children<second>(3, 7) == list{5, 1});
    CHECK(children<second>(1, 7) == list{2});
    CHECK(children<second>(0, 8) == list{3}); // moved on by one
    CHECK(children<second>(3, 8) == list{1, 5});
    CHECK(children<second>(1, 8) == list{7, 2});
}

TEST_CASE_TEMPLATE("a tree below a single child is one tree at every size", S,
                   topo::below_single_child<topo::in_order_binary>, topo::below_single_child<topo::binary>,
                   topo::below_single_child<topo::chain>) {
    check_shape<S>();
    for (int n = 2; n <= most; ++n)
        CHECK(children<S>(0, n) == std::vector{1});
}

TEST_CASE("the trees of the drawings") {
    using list = std::vector<int>;
    CHECK(children<topo::linear>(0, 8) == list{1, 2, 3, 4, 5, 6, 7});
    CHECK(children<topo::chain>(3, 8) == list{4});
    CHECK(children<topo::binary>(0, 8) == list{1, 2});
    CHECK(children<topo::postal<3>>(0, 6) == list{4, 3, 2, 1});
    CHECK(children<topo::postal<3>>(4, 6) == list{5});
    CHECK(children<topo::binary>(1, 8) == list{3, 4});
    CHECK(children<topo::binary>(3, 8) == list{7});
    CHECK(children<topo::binomial>(0, 8) == list{4, 2, 1});
    CHECK(children<topo::binomial>(4, 8) == list{6, 5});
    CHECK(children<topo::binomial>(6, 8) == list{7});
    CHECK(children<topo::k_nomial<3>>(0, 9) == list{3, 6, 1, 2});
    CHECK(children<topo::k_nomial<4>>(4, 16) == list{5, 6, 7});
    CHECK(children<topo::in_order_binary>(0, 8) == list{1, 5});
    CHECK(children<topo::in_order_binary>(1, 8) == list{2, 4});
    CHECK(children<topo::in_order_binary>(2, 8) == list{3});
    CHECK(children<topo::in_order_binary>(5, 8) == list{6, 7});
    CHECK(children<topo::below_single_child<topo::in_order_binary>>(1, 8) == list{2, 5});
    CHECK(children<topo::below_single_child<topo::in_order_binary>>(2, 8) == list{3, 4});
    CHECK(children<topo::below_single_child<topo::in_order_binary>>(5, 8) == list{6, 7});
}

TEST_CASE("sizes near the largest int do not overflow") {
    constexpr int n = 2147483647;
    for (const int v : std::array{0, 1, 2, 1073741822, 1073741823, 1073741824, n - 2, n - 1}) {
        INFO("v = " << v);
        for (const int child : children<topo::binary>(v, n))
            CHECK(topo::binary::parent(child, n) == v);
        for (const int child : children<topo::k_ary<4>>(v, n))
            CHECK(topo::k_ary<4>::parent(child, n) == v);
        for (const int child : children<topo::binomial>(v, n))
            CHECK(topo::binomial::parent(child, n) == v);
        for (const int child : children<topo::k_nomial<3>>(v, n))
            CHECK(topo::k_nomial<3>::parent(child, n) == v);
        for (const int child : children<topo::in_order_binary>(v, n))
            CHECK(topo::in_order_binary::parent(child, n) == v);
        for (const int child : children<topo::detail::split_binary_half<0>>(v, n))
            CHECK(topo::detail::split_binary_half<0>::parent(child, n) == v);
        for (const int child : children<topo::detail::split_binary_half<1>>(v, n))
            CHECK(topo::detail::split_binary_half<1>::parent(child, n) == v);
        for (const int child : children<topo::detail::two_tree_half<0>>(v, n))
            CHECK(topo::detail::two_tree_half<0>::parent(child, n) == v);
        for (const int child : children<topo::detail::two_tree_half<1>>(v, n))
            CHECK(topo::detail::two_tree_half<1>::parent(child, n) == v);
        if (v == n - 1) continue;
        for (const int child : children<topo::detail::two_tree_half<1>>(v, n - 1))
            CHECK(topo::detail::two_tree_half<1>::parent(child, n - 1) == v);
    }
    CHECK(children<topo::binomial>(0, n).size() == 31);
    CHECK(children<topo::binary>(1073741822, n).size() == 2);
    CHECK(children<topo::binary>(1073741823, n).empty());
}

} // namespace shape_tests
