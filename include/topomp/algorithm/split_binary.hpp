// SPDX-License-Identifier: BSL-1.0
/// @file
/// A binary tree whose two subtrees carry a half of the message each.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/shape.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace topo {

/// The first half of the message goes down the root's left subtree, the second half down the right one, and
/// each rank gives its half to a partner in the other subtree. So a rank sends one and a half times what it
/// receives, instead of twice as in a binary tree, and the root sends the message once.
///
///     first half:    0 - 1 - 2 - 5          second half:   0 - 4 - 5 - 2
///                          |                                     |
///                          | 3 - 6                               | 6 - 3
///                          ` 4                                   ` 1
struct split_binary {};

namespace detail {

/// The tree of one half, as a shape: the ranks of one subtree carry it, and each of the others is a child of
/// its partner. If the left subtree has one rank more, that rank is a child of the right subtree's last rank.
template <int Half>
struct split_binary_half {
    static constexpr bool is_interval = false;

    static constexpr int parent(int v, int n) {
        if (v == 0) return -1;
        const sides of{n};
        const int i = v - of.first_carrier;
        if (i >= 0 && i < of.carriers) {
            const int above = binary::parent(i, of.carriers);
            return above < 0 ? 0 : of.first_carrier + above;
        }
        return of.carriers == 0 ? 0 : of.first_carrier + std::min(v - of.first_other, of.carriers - 1);
    }

    template <class F>
    static constexpr void children(int v, int n, F f) {
        const sides of{n};
        if (v == 0) {
            if (n > 1) f(of.carriers > 0 ? of.first_carrier : of.first_other);
            return;
        }
        const int i = v - of.first_carrier;
        if (i < 0 || i >= of.carriers) return;
        binary::children(i, of.carriers, [&](int child) { f(of.first_carrier + child); });
        if (i < of.others) f(of.first_other + i);
        if (i == of.carriers - 1 && of.others > of.carriers) f(of.first_other + of.carriers);
    }

private:
    struct sides {
        int first_carrier, carriers, first_other, others;

        constexpr explicit sides(int n)
            : first_carrier(Half == 0 ? 1 : n / 2 + 1), carriers(Half == 0 ? n / 2 : n - 1 - n / 2),
              first_other(Half == 0 ? n / 2 + 1 : 1), others(Half == 0 ? n - 1 - n / 2 : n / 2) {}
    };
};

/// An algorithm for one half of the message: another tree for each half only if it is `split_binary`.
template <class Algorithm, int Half>
struct for_half {
    using type = Algorithm;
};
template <int Half>
inline constexpr std::string_view shape_name<split_binary_half<Half>> = "split_binary";

template <int Half>
struct for_half<split_binary, Half> {
    using type = split_binary_half<Half>;
};
template <class Algorithm>
inline constexpr bool is_split_algorithm = !std::is_same_v<typename for_half<Algorithm, 0>::type, Algorithm>;
template <class Algorithm, int Half>
using for_half_t = typename for_half<Algorithm, Half>::type;

} // namespace detail
} // namespace topo
