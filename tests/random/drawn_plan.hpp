// SPDX-License-Identifier: BSL-1.0
/// @file
/// A policy whose choice is made at run time, so that each verb is compiled once. To be included before any
/// verb.
#pragma once

#include "support/made_up.hpp"
#include <topomp/decide/detail/select.hpp>
#include <topomp/decide/detail/select_in_background.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace topo_random {

/// Goes as `chosen_plan` of the calling thread says.
struct drawn {};

/// A plan and its name, the text that it was read from.
struct named_plan {
    std::string name;
    bool is_automatic = false;
    topo::plan chosen{};
};

/// What the calls of this thread take.
inline thread_local const named_plan* chosen_plan = nullptr;

/// One that serves the verb. @param keeps_order whether operands must meet in the order of ranks
const named_plan& draw_plan(topo_test::dice& roll, topo::detail::verb what, bool keeps_order,
                            bool in_background);
/// A policy by its name. @throws std::invalid_argument if there is none
const named_plan& plan_by_name(const std::string& name);
/// If set, the only policy that is drawn, where it serves.
inline const named_plan* only_plan = nullptr;

} // namespace topo_random

namespace topo::detail {

// What `algorithm_of` says lets it pass the checks at compile time; which algorithm serves is looked up here.
template <>
inline constexpr algorithm algorithm_of<topo_random::drawn> = algorithm::flat;
template <>
inline constexpr algorithm only_algorithm<topo_random::drawn> = algorithm::any;

template <verb Verb, std::same_as<topo_random::drawn> Policy>
plan select(const hierarchy& levels, std::size_t bytes, bool is_commutative = true,
            const call_facts& facts = {}) {
    const auto& chosen = *topo_random::chosen_plan;
    if (chosen.is_automatic) return select<Verb, automatic>(levels, bytes, is_commutative, facts);
    if constexpr (is_checked) check_call<Verb, Policy>(levels, bytes, is_commutative, facts);
    return chosen.chosen;
}

template <verb Verb, std::same_as<topo_random::drawn> Policy>
plan select_in_background(const hierarchy& levels, std::size_t bytes, bool is_commutative = true,
                          const call_facts& facts = {}) {
    const auto& chosen = *topo_random::chosen_plan;
    if (chosen.is_automatic || (chosen.chosen.uses == algorithm::flat && !flat_is_right_in_background(Verb)))
        return select_in_background<Verb, automatic>(levels, bytes, is_commutative, facts);
    return select<Verb, Policy>(levels, bytes, is_commutative, facts);
}

} // namespace topo::detail
