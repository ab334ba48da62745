// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of a hybrid verb must have in common.
#pragma once

#include <topomp/core/detail/checked.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace topo::detail {

/// Of the groups of ranks that share a window, which number these have. Local after the first time
/// @collective over the whole the first time
std::size_t number_of_groups(const hierarchy& levels, const window_view& window);

/// Whether a rank of the whole is in the calling rank's group. @collective as `window_view::groups`
bool is_in_own_group(const hierarchy& levels, const window_view& window, int rank);

template <class Between>
std::string text_of(const hybrid::policy<Between>& options) {
    constexpr std::array across{"best", "roots", "lanes"};
    constexpr std::array inside{"best", "by_mpi", "by_root", "by_slices"};
    constexpr std::array sync{"signals", "barrier"};
    return std::string{" {across "} + across.at(static_cast<std::size_t>(options.across)) + ", inside " +
           inside.at(static_cast<std::size_t>(options.inside)) + ", sync " +
           sync.at(static_cast<std::size_t>(options.sync)) + '}';
}

/// In a checked build, compares a call with those of the other ranks. @collective over the whole
template <verb Verb, class Between>
void check_hybrid_call([[maybe_unused]] const hierarchy& levels, [[maybe_unused]] const window_view& window,
                       [[maybe_unused]] std::size_t bytes, [[maybe_unused]] bool is_commutative,
                       [[maybe_unused]] call_facts facts,
                       [[maybe_unused]] const hybrid::policy<Between>& options) {
    if constexpr (is_checked) {
        facts.window = number_of_groups(levels, window);
        check_call<Verb, Between>(levels, bytes, is_commutative, facts, text_of(options));
    }
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/check_hybrid_call.ipp>
#endif
