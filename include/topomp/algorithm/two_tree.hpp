// SPDX-License-Identifier: BSL-1.0
/// @file
/// Two binary trees, each of which carries a half of the message.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/split_binary.hpp>

#include <bit>
#include <string_view>

namespace topo {

/// Each half of the message goes down a binary tree of its own over all ranks, and an inner rank of one tree
/// is a leaf of the other. So no rank sends more than the whole message, as in a chain, and the last rank
/// receives after as many steps as the trees are deep.
///
///     first half:    0 - 4 - 2 - 1, 3       second half:   0 - 3 - 5 - 6, 4
///                          ` 6 - 5                               ` 1 - 2
///
/// @see P. Sanders, J. Speck, J. L. Träff: Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan (2009), section 2
struct two_tree {};

namespace detail {

/// The tree of one half, as a shape. In the first tree, ranks with odd numbers are leaves. The second tree is
/// the mirror image of the first, or, where that would have the same leaves, the first shifted by one.
template <int Half>
struct two_tree_half {
    static constexpr bool is_interval = false;

    static constexpr int parent(int v, int n) {
        if (v == 0) return -1;
        const int above = below(place(v, n - 1), n - 1).parent;
        return above == 0 ? 0 : at_place(above, n - 1);
    }

    template <class F>
    static constexpr void children(int v, int n, F f) {
        const int others = n - 1;
        if (others == 0) return;
        if (v == 0) return f(at_place(root_of(1, others), others));
        const int at = place(v, others);
        const interval own = below(at, others);
        if (own.from < at) f(at_place(root_of(own.from, at - 1), others));
        if (at < own.to) f(at_place(root_of(at + 1, own.to), others));
    }

private:
    /// Of the numbers from ... to, the one that is divisible by two most often.
    static constexpr int root_of(int from, int to) {
        const auto differ =
            static_cast<unsigned>((from - 1) ^ to); // below the highest such bit, all may be 0
        return to & ~static_cast<int>(std::bit_floor(differ) - 1);
    }

    /// The subtree of a position, that position included, and the position's parent; 0: none.
    struct interval {
        int from, to, parent = 0;
    };
    static constexpr interval below(int at, int others) {
        interval all{1, others};
        for (int top = root_of(all.from, all.to); top != at; top = root_of(all.from, all.to)) {
            (at < top ? all.to : all.from) = at < top ? top - 1 : top + 1;
            all.parent = top;
        }
        return all;
    }

    /// The position of a rank in the order 1 ... others over which the tree is built, and the inverse.
    static constexpr int place(int v, int others) {
        if (Half == 0) return v;
        return others % 2 == 0 ? others + 1 - v : v % others + 1;
    }
    static constexpr int at_place(int place, int others) {
        if (Half == 0) return place;
        return others % 2 == 0 ? others + 1 - place : place == 1 ? others : place - 1;
    }
};

template <int Half>
inline constexpr std::string_view shape_name<two_tree_half<Half>> = "two_tree";

template <int Half>
struct for_half<two_tree, Half> {
    using type = two_tree_half<Half>;
};

} // namespace detail
} // namespace topo
