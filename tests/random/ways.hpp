// SPDX-License-Identifier: BSL-1.0
/// @file
/// A policy whose choice is made at run time, so that each verb is compiled once. To be included before any
/// verb.
#pragma once

#include "support/made_up.hpp"
#include <topomp/policy/detail/selection.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace topo_random {

/// Goes as `chosen_way` of the calling thread says.
struct drawn {};

/// A policy as plain data, with its name.
struct way {
    std::string name;
    bool is_automatic = false;
    bool only_combines = false; ///< a policy for verbs that combine operands
    topo::detail::selection chosen{};
};

/// What the calls of this thread take.
inline thread_local const way* chosen_way = nullptr;

/// One that serves the verb. @param keeps_order whether operands must meet in the order of ranks
const way& draw_way(topo_test::dice& roll, topo::detail::verb what, bool keeps_order, bool in_background);
/// A policy by its name. @throws std::invalid_argument if there is none
const way& way_by_name(const std::string& name);
/// If set, the only policy that is drawn, where it serves.
inline const way* only_way = nullptr;

} // namespace topo_random

namespace topo::detail {

// What `way_of` says lets it pass the checks at compile time; which algorithm serves is looked up here.
template <>
inline constexpr way way_of<topo_random::drawn> = way::flat;

template <verb Verb, std::same_as<topo_random::drawn> Policy>
selection select(const hierarchy& tree, std::size_t bytes, bool is_commutative = true,
                 const call_facts& facts = {}) {
    const auto& chosen = *topo_random::chosen_way;
    if (chosen.is_automatic) return select<Verb, automatic>(tree, bytes, is_commutative, facts);
    if constexpr (is_checked) check_call<Verb, Policy>(tree, bytes, is_commutative, facts);
    return chosen.chosen;
}

template <verb Verb, std::same_as<topo_random::drawn> Policy>
selection select_in_background(const hierarchy& tree, std::size_t bytes, bool is_commutative = true,
                               const call_facts& facts = {}) {
    const auto& chosen = *topo_random::chosen_way;
    if (chosen.is_automatic || (chosen.chosen.how == way::flat && !flat_is_right_in_background(Verb)))
        return select_in_background<Verb, automatic>(tree, bytes, is_commutative, facts);
    return select<Verb, Policy>(tree, bytes, is_commutative, facts);
}

} // namespace topo::detail
