// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are the same for any number of ranks, placement and algorithm, once per node.
#pragma once

#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/policy.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// The first rank of each rank's window, by ranks of the whole. @collective over the whole
std::vector<int> window_roots(const hierarchy& levels, const boost::mpi::communicator& window);
/// Each of them once, ascending.
std::vector<int> each_once(std::vector<int> ranks);
/// Whether the calling rank is one of these, which ascend.
bool is_among(const std::vector<int>& ranks, const hierarchy& levels);

/// What both hybrid verbs do. @param is_for `is_for(roots)`: the ranks whose windows get the sums, ascending
/// @param by_policy `by_policy(sums, its receivers)` where the policy is not `automatic`
template <verb Verb, class Between, class T, class Receivers, class ByPolicy>
void sum_into_windows(const hierarchy& levels, std::string_view call, std::span<const T> elements,
                      shared_window<T>& window, int root, const hybrid::policy<Between>& options,
                      Receivers receivers_of, ByPolicy by_policy) {
    const auto view = check_own(call, levels, [&] {
        require_root(call, root, levels);
        require_elements(call, "elements", elements.size(), window.size());
        require_data(call, "elements", elements.data(), elements.size(), datatype_of<T>());
        return view_of_window(window);
    });
    check_hybrid_call<Verb>(levels, view, view.bytes(), true, {.call = call, .root = root, .data = view.all},
                            options);
    const std::vector<int> receivers = receivers_of(window_roots(levels, view.comm));
    window.fence(); // all ranks have read the last result
    if constexpr (std::is_same_v<Between, automatic>) {
        sum_exactly(
            levels,
            exact_call<T>{
                exact_result::of_all, elements.data(), window.all().data(), elements.size(), {}, receivers});
    } else {
        std::vector<T> sums(elements.size());
        by_policy(sums, receivers);
        if (is_among(receivers, levels)) std::ranges::copy(sums, window.all().begin());
    }
    window.fence();
}

} // namespace detail

namespace hybrid {

/// The exact sums of the ranks' elements, rounded once, in the window of every node.
/// @cost by `automatic`, as `topo::all_reduce` with `reproducible` where the sums go to one rank of each node
/// only; two fences and an all-gather of an integer. By other policies, also memory for all elements
/// @see `hybrid::all_reduce` for arguments and errors
template <detail::summed_buffer Elements, class T, topo::policy Between = automatic>
    requires std::same_as<T, detail::summed<Elements>>
void all_reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, reproducible op,
                const policy<Between>& options = {}) {
    const std::span<const T> mine{elements};
    detail::sum_into_windows<detail::verb::all_reduce>(
        levels, "topo::hybrid::all_reduce", mine, window, 0, options, &detail::each_once,
        [&](std::vector<T>& sums, const std::vector<int>&) {
            topo::all_reduce(levels, mine, sums, op, Between{});
        });
}

/// The same in the window of the root's node; the windows of other nodes are left alone.
template <detail::summed_buffer Elements, class T, topo::policy Between = automatic>
    requires std::same_as<T, detail::summed<Elements>>
void reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, reproducible op,
            int root, const policy<Between>& options = {}) {
    const std::span<const T> mine{elements};
    detail::sum_into_windows<detail::verb::reduce>(
        levels, "topo::hybrid::reduce", mine, window, root, options,
        [&](const std::vector<int>& roots) {
            return std::vector<int>{roots[static_cast<std::size_t>(root)]};
        },
        [&](std::vector<T>& sums, const std::vector<int>& receivers) {
            topo::reduce(levels, mine, sums, op, receivers.front(), Between{});
        });
}

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/reproducible.ipp>
#endif
