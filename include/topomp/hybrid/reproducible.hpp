// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are the same for any number of ranks, placement and algorithm, once per node.
#pragma once

#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/collective/detail/as_step.hpp>
#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/forms/all_reduce.hpp>
#include <topomp/collective/forms/reduce.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/reduce.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/policy.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// The ranks that write sums into windows, ascending. @param root which does; `to_all`: one rank of each
/// group
/// @collective over the whole the first time for each window
std::vector<int> ranks_that_write(copy_groups& groups, int root);

template <class T>
exact_call<T> sum_into(const hierarchy& levels, const window_view& window, const T* mine, int root) {
    return exact_arguments<T>{mine, static_cast<T*>(window.all.data), window.all.count}.of_all(
        ranks_that_write(window.groups(levels), root));
}

template <verb Verb, class T, class Between>
void check_sum_into(std::string_view call, const hierarchy& levels, const T* mine, const window_view& window,
                    int root, const hybrid::policy<Between>& options) {
    check_own(call, levels,
              [&] { require_memory(call, "elements", window.all.count, sizeof(exact_sum<T>)); });
    check_hybrid_call<Verb>(levels, window, window.bytes(), true,
                            {.call = call, .root = root == to_all ? 0 : root, .data = window.all}, options);
    check_host_memory(levels, call, {mine});
}

/// What both hybrid verbs do. @param by_policy `by_policy(sums, who gets them)` where the policy is not
/// `automatic`
template <verb Verb, class Between, class T, class ByPolicy>
void sum_into_windows(const hierarchy& levels, std::string_view call, std::span<const T> elements,
                      shared_window<T>& window, int root, const hybrid::policy<Between>& options,
                      ByPolicy by_policy) {
    const auto view = check_own(call, levels, [&] {
        if constexpr (Verb == verb::reduce) require_root(call, root, levels);
        require_elements(call, "elements", elements.size(), window.size());
        require_data(call, "elements", elements.data(), elements.size(), datatype_of<T>());
        return view_of_window(window);
    });
    check_sum_into<Verb>(call, levels, elements.data(), view, root, options);
    const exact_call<T> sum = sum_into(levels, view, elements.data(), root);
    window.fence(); // all ranks have read the last result
    if constexpr (std::is_same_v<Between, automatic>) {
        sum_exactly(levels, sum);
    } else {
        std::vector<T> sums(elements.size());
        by_policy(sums);
        if (gets_result(sum, levels.whole_rank())) std::ranges::copy(sums, window.all().begin());
    }
    window.fence();
}

template <class T>
    requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
struct own_hybrid_forms<reproducible, T> {
    using sums = std::span<exact_sum<T>>;

    template <verb Verb, class Form, class Between>
    static auto begin(const char* call, const hierarchy& levels, const T* mine, const window_view& view,
                      int root, const hybrid::policy<Between>& options) {
        check_sum_into<Verb>(call, levels, mine, view, root, options);
        return begin_steps<Form>(levels, view, call, [&](hybrid_steps& to) {
            to.synchronise(); // all have read what was there
            to.run(begin_sum_by<as_step, Between, exact_result::of_all>(
                to.levels, call, sum_into(to.levels, to.window, mine, root), [&](sums all, sums result) {
                    constexpr std::plus<> plus{};
                    if constexpr (Verb == verb::reduce)
                        return reduce_form<as_step>(call, to.levels, all, result, plus, root, Between{});
                    else
                        return all_reduce_form<as_step>(call, to.levels, all, result, plus, Between{});
                }));
            to.synchronise();
        });
    }
};

} // namespace detail

namespace hybrid {

/// The exact sums of the ranks' elements, rounded once, in the window of every node. `hybrid::iall_reduce`,
/// `hybrid::all_reduce_init` and those of `reduce` take `reproducible`, too.
/// @cost by `automatic`, as `topo::all_reduce` with `reproducible` where the sums go to one rank of each node
/// only; two fences. By other policies, also memory for all elements
/// @see `hybrid::all_reduce` for arguments and errors
template <detail::summed_buffer Elements, class T, topo::policy Between = automatic>
    requires std::same_as<T, detail::summed<Elements>>
void all_reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, reproducible op,
                const policy<Between>& options = {}) {
    const std::span<const T> mine{elements};
    detail::sum_into_windows<detail::verb::all_reduce>(
        levels, "topo::hybrid::all_reduce", mine, window, detail::to_all, options,
        [&](std::vector<T>& sums) { topo::all_reduce(levels, mine, sums, op, Between{}); });
}

/// The same in the window of the root's node; the windows of other nodes are left alone.
template <detail::summed_buffer Elements, class T, topo::policy Between = automatic>
    requires std::same_as<T, detail::summed<Elements>>
void reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, reproducible op,
            int root, const policy<Between>& options = {}) {
    const std::span<const T> mine{elements};
    detail::sum_into_windows<detail::verb::reduce>(
        levels, "topo::hybrid::reduce", mine, window, root, options,
        [&](std::vector<T>& sums) { topo::reduce(levels, mine, sums, op, root, Between{}); });
}

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/reproducible.ipp>
#endif
