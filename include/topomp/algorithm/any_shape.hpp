// SPDX-License-Identifier: BSL-1.0
/// @file
/// Shapes of trees as values.
#pragma once

#include <topomp/algorithm/shape.hpp>

#include <string_view>
#include <vector>

namespace topo {

namespace detail {

/// Shapes of one rule, which may depend on a number.
struct shape_family {
    std::string_view name; ///< of the type; empty: a shape of the program
    int least_number = 0;  ///< 0: the rule has no number
    bool (*is_interval)(int number) = nullptr;
    int (*parent)(int v, int n, int number) = nullptr;
    void (*children)(int v, int n, int number, std::vector<int>& found) = nullptr; ///< appends
};

/// The name of a shape without a number, and of the algorithms with a tree for each half of a message.
template <class S>
inline constexpr std::string_view shape_name{};
template <>
inline constexpr std::string_view shape_name<linear> = "linear";
template <>
inline constexpr std::string_view shape_name<chain> = "chain";
template <>
inline constexpr std::string_view shape_name<in_order_binary> = "in_order_binary";

/// The family of which a shape without a number is the only member.
template <shape S>
inline constexpr shape_family family_of_one{shape_name<S>, 0,
                                            [](int) { return static_cast<bool>(S::is_interval); },
                                            [](int v, int n, int) { return S::parent(v, n); },
                                            [](int v, int n, int, std::vector<int>& found) {
                                                S::children(v, n, [&](int child) { found.push_back(child); });
                                            }};

template <class Rule>
constexpr shape_family family_of_rule(std::string_view name, int least_number) {
    return {name, least_number, &Rule::is_interval, &Rule::parent,
            [](int v, int n, int number, std::vector<int>& found) {
                Rule::children(v, n, number, [&](int child) { found.push_back(child); });
            }};
}

inline constexpr shape_family k_ary_family = family_of_rule<k_ary_rule>("k_ary", 1);
inline constexpr shape_family k_nomial_family = family_of_rule<k_nomial_rule>("k_nomial", 2);
inline constexpr shape_family postal_family = family_of_rule<postal_rule>("postal", 1);

} // namespace detail

/// A shape as a value: it compares, and engines that take one need not be templates.
struct any_shape {
    const detail::shape_family* family = nullptr; ///< null: no shape
    int number = 0;                               ///< the K or Lambda of the family
    bool is_below_single_child =
        false; ///< the shape is `below_single_child` of what `family` and `number` say

    /// The parent of v in a tree of n; -1 for the root.
    int parent(int v, int n) const {
        if (!is_below_single_child) return family->parent(v, n, number);
        return v <= 1 ? v - 1 : 1 + family->parent(v - 1, n - 1, number);
    }
    /// Appends the children of v, in a full tree the one with the most below it first.
    void children(int v, int n, std::vector<int>& found) const;
    /// Whether a reduction can preserve the order of operands, see `shape`.
    constexpr bool is_interval() const { return family->is_interval(number); }

    /// The shape that a type stands for.
    template <shape S>
    static constexpr any_shape of();

    friend constexpr bool operator==(const any_shape&, const any_shape&) = default;
};

namespace detail {

template <class S>
struct value_of_shape {
    static constexpr any_shape value{&family_of_one<S>};
};
template <int K>
struct value_of_shape<k_ary<K>> {
    static constexpr any_shape value{&k_ary_family, K};
};
template <int K>
struct value_of_shape<k_nomial<K>> {
    static constexpr any_shape value{&k_nomial_family, K};
};
template <int Lambda>
struct value_of_shape<postal<Lambda>> {
    static constexpr any_shape value{&postal_family, Lambda};
};
template <shape S>
    requires(!value_of_shape<S>::value.is_below_single_child)
struct value_of_shape<below_single_child<S>> {
    static constexpr any_shape value{value_of_shape<S>::value.family, value_of_shape<S>::value.number, true};
};

} // namespace detail

template <shape S>
constexpr any_shape any_shape::of() {
    return detail::value_of_shape<S>::value;
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/any_shape.ipp>
#endif
