// SPDX-License-Identifier: BSL-1.0
/// @file
/// The policies that `automatic` chooses among where a machine has parts, by name: what
/// policy/detail/tuned_table.hpp names, and what scripts/tune tries.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/detail/call_key.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/policy_traits.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace topo::detail {

/// `Outer` among the parts of the machine that is widest, `Inner` in these.
template <class Outer, class Inner>
using by_levels = per_level<on<kind::cluster, Outer>, on<kind::network_switch, Outer>, otherwise<Inner>>;
template <class Outer, class Inner>
using by_parts = per_level<on<kind::machine, Outer>, otherwise<Inner>>;

/// Trees are called after the shape between the parts of the machine, that inside these, and the bytes of a
/// segment; rounds after how many ranks meet in one.
enum class tuned_choice : unsigned char {
    flat,
    postal4_postal3,
    postal5_postal3,
    postal6_postal3,
    postal8_postal3,
    spreading,
    helping,
    postal4_linear,
    nomial4_linear,
    linear_linear,
    ternary_binary_8k,
    binary_binary_8k,
    binary_linear_8k,
    binary_chain_8k,
    chain_binary_8k,
    chain_chain_8k,
    chain_linear_32k,
    ordered_binary_8k,
    straight,
    two_postal4_postal6,
    two_postal6_postal4,
    two_postal6_postal6,
    double_8k,
    double_16k,
    lanes,
    ring,
    pairwise,
    doubling_2,
    doubling_4,
    doubling_6,
    doubling_8,
    doubling_16,
    doubling_64,
    halving_2,
    halving_4,
    halving_6,
    halving_8,
    splitting_2,
    splitting_4,
    splitting_6,
    splitting_8,
    splitting_16
};

/// A choice in words, and what it is where nodes are joined and inside one machine.
struct named_choice {
    tuned_choice which{};
    std::string_view name;
    selection between_nodes, inside_machine;
};

template <class Outer, class Inner, std::size_t Segment = 0>
constexpr named_choice tree_choice(tuned_choice which, std::string_view name) {
    if constexpr (Segment == 0)
        return {which,
                name,
                {way::tree, tree_plan_of<by_levels<Outer, Inner>>},
                {way::tree, tree_plan_of<by_parts<Outer, Inner>>}};
    else
        return {which,
                name,
                {way::tree, tree_plan_of<segmented<Segment, by_levels<Outer, Inner>>>},
                {way::tree, tree_plan_of<segmented<Segment, by_parts<Outer, Inner>>>}};
}

/// One that is the same everywhere.
constexpr named_choice one_choice(tuned_choice which, std::string_view name, const selection& chosen) {
    return {which, name, chosen, chosen};
}

/// Levels between nodes, or between one machine's NUMA nodes, are one, and so are those inside each.
template <int Between, int Inside>
constexpr named_choice two_postal_choice(tuned_choice which, std::string_view name) {
    return one_choice(which, name, {way::tree, tree_plan_of<two_levels<postal<Between>, postal<Inside>>>});
}
template <std::size_t Segment>
constexpr named_choice double_choice(tuned_choice which, std::string_view name) {
    using policy = segmented<Segment, two_levels<double_binary>>;
    return one_choice(which, name, {way::halves, tree_plan_of<policy>, {}, other_half_of<policy>});
}

constexpr named_choice rounds_choice(tuned_choice which, std::string_view name, way how, int radix) {
    return one_choice(which, name, {how, {}, {}, {}, radix});
}

/// All ranks of a node send at a time what goes on whole, through one link.
constexpr named_choice splitting_choice(tuned_choice which, std::string_view name, int radix) {
    return {which,
            name,
            {way::rabenseifner, {}, {}, {}, radix, 256},
            {way::rabenseifner, {}, {}, {}, radix, 512}};
}

/// In the order of `tuned_choice`.
inline constexpr std::array named_choices{
    one_choice(tuned_choice::flat, "flat", {}),
    tree_choice<postal<4>, postal<3>>(tuned_choice::postal4_postal3, "postal4_postal3"),
    tree_choice<postal<5>, postal<3>>(tuned_choice::postal5_postal3, "postal5_postal3"),
    tree_choice<postal<6>, postal<3>>(tuned_choice::postal6_postal3, "postal6_postal3"),
    tree_choice<postal<8>, postal<3>>(tuned_choice::postal8_postal3, "postal8_postal3"),
    one_choice(tuned_choice::spreading, "spreading", {way::tree, tree_plan_of<topo::spreading<5, 3>>}),
    one_choice(tuned_choice::helping, "helping", {way::tree, tree_plan_of<topo::spreading<5, 3, true>>}),
    tree_choice<postal<4>, linear>(tuned_choice::postal4_linear, "postal4_linear"),
    tree_choice<k_nomial<4>, linear>(tuned_choice::nomial4_linear, "nomial4_linear"),
    tree_choice<linear, linear>(tuned_choice::linear_linear, "linear_linear"),
    tree_choice<k_ary<3>, binary, 8192>(tuned_choice::ternary_binary_8k, "ternary_binary_8k"),
    tree_choice<binary, binary, 8192>(tuned_choice::binary_binary_8k, "binary_binary_8k"),
    tree_choice<binary, linear, 8192>(tuned_choice::binary_linear_8k, "binary_linear_8k"),
    tree_choice<binary, chain, 8192>(tuned_choice::binary_chain_8k, "binary_chain_8k"),
    tree_choice<chain, binary, 8192>(tuned_choice::chain_binary_8k, "chain_binary_8k"),
    tree_choice<chain, chain, 8192>(tuned_choice::chain_chain_8k, "chain_chain_8k"),
    tree_choice<chain, linear, 32768>(tuned_choice::chain_linear_32k, "chain_linear_32k"),
    tree_choice<in_order_binary, in_order_binary, 8192>(tuned_choice::ordered_binary_8k, "ordered_binary_8k"),
    one_choice(tuned_choice::straight, "straight", {way::tree, tree_plan_of<placement_independent<linear>>}),
    two_postal_choice<4, 6>(tuned_choice::two_postal4_postal6, "two_postal4_postal6"),
    two_postal_choice<6, 4>(tuned_choice::two_postal6_postal4, "two_postal6_postal4"),
    two_postal_choice<6, 6>(tuned_choice::two_postal6_postal6, "two_postal6_postal6"),
    double_choice<8192>(tuned_choice::double_8k, "double_8k"),
    double_choice<16384>(tuned_choice::double_16k, "double_16k"),
    one_choice(tuned_choice::lanes, "lanes", {way::lanes, tree_plan_of<topo::lanes<linear, linear>>}),
    one_choice(tuned_choice::ring, "ring", {way::ring}),
    one_choice(tuned_choice::pairwise, "pairwise", {way::pairwise}),
    rounds_choice(tuned_choice::doubling_2, "doubling_2", way::recursive_doubling, 2),
    rounds_choice(tuned_choice::doubling_4, "doubling_4", way::recursive_doubling, 4),
    rounds_choice(tuned_choice::doubling_6, "doubling_6", way::recursive_doubling, 6),
    rounds_choice(tuned_choice::doubling_8, "doubling_8", way::recursive_doubling, 8),
    rounds_choice(tuned_choice::doubling_16, "doubling_16", way::recursive_doubling, 16),
    rounds_choice(tuned_choice::doubling_64, "doubling_64", way::recursive_doubling, 64),
    rounds_choice(tuned_choice::halving_2, "halving_2", way::recursive_halving, 2),
    rounds_choice(tuned_choice::halving_4, "halving_4", way::recursive_halving, 4),
    rounds_choice(tuned_choice::halving_6, "halving_6", way::recursive_halving, 6),
    rounds_choice(tuned_choice::halving_8, "halving_8", way::recursive_halving, 8),
    splitting_choice(tuned_choice::splitting_2, "splitting_2", 2),
    splitting_choice(tuned_choice::splitting_4, "splitting_4", 4),
    splitting_choice(tuned_choice::splitting_6, "splitting_6", 6),
    splitting_choice(tuned_choice::splitting_8, "splitting_8", 8),
    splitting_choice(tuned_choice::splitting_16, "splitting_16", 16),
};

/// A choice as the engines understand it.
constexpr const selection& selection_of(tuned_choice which, const call_key& now) {
    const named_choice& found = named_choices[static_cast<std::size_t>(which)];
    return now.crosses_nodes() ? found.between_nodes : found.inside_machine;
}

} // namespace topo::detail
