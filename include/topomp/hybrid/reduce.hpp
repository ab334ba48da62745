// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined in one node.
#pragma once

#include <topomp/collective/detail/without_root.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/detail/operands.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace topo {

namespace detail {

using reduce_between = void (*)(const hierarchy& groups, const message& sum, const combination& combiner,
                                int root);

template <class Between>
void reduce_by(const hierarchy& groups, const message& sum, const combination& combiner, int root) {
    const bool is_root = groups.whole_rank() == root;
    topo::reduce(groups, is_root ? MPI_IN_PLACE : sum.data, sum, combiner.op, root, Between{});
}

void hybrid_reduce(const hierarchy& levels, const window_view& window, const operands& from, int root,
                   const combination& combiner, const reduction_options& options, reduce_between between);

template <class T, class Op, class Between>
void hybrid_reduce(const hierarchy& levels, const operands& from, const window_view& result, Op op, int root,
                   const hybrid::policy<Between>& options) {
    constexpr auto call = "topo::hybrid::reduce";
    assert_order<Between, is_commutative<Op, T>>();
    const auto combined = check_own(call, levels, [&] { return combination_of<T>(call, op); });
    check_hybrid_call<verb::reduce>(levels, result, result.bytes(), combined.is_commutative,
                                    {.call = call, .root = root, .op = combined.op, .data = result.all},
                                    options);
    require_order_of<Between>(call, combined.is_commutative);
    check_host_memory(levels, call, {from.mine()});
    hybrid_reduce(levels, result, from, root, combined, reduction_options_of(options, result.bytes()),
                  &reduce_by<Between>);
}

} // namespace detail

namespace hybrid {

/// Combines the ranks' elements, element by element and in the order of ranks, into the window of the root's
/// node. The windows of other nodes are left with partial sums.
///
/// The window is read and written as after `all_reduce`.
///
/// @param elements the calling rank's, as many as the window has
/// @param window over `levels`, or over levels of which each rank is in one; of one length on all ranks
/// @param op associative; if it is not commutative, operands still meet in the order of ranks
/// @param root a rank of the whole
/// @collective over the whole, with the same operation, root and policy
/// @cost as `all_reduce`, with a `topo::reduce` between the nodes
/// @throws argument_error if there is no such root; on the rank that sees it: lengths that do not fit
template <buffer Elements, class T, class Op, topo::policy Between = automatic>
void reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, Op op, int root,
            const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::reduce: elements and those of the shared_window must be of one type");
    const auto view = detail::check_own("topo::hybrid::reduce", levels, [&] {
        detail::require_root("topo::hybrid::reduce", root, levels);
        detail::require_elements("topo::hybrid::reduce", "elements", detail::length_of(elements),
                                 window.size());
        detail::require_data("topo::hybrid::reduce", "elements", detail::data_of(elements),
                             detail::length_of(elements), detail::datatype_of<T>());
        return detail::view_of_window(window);
    });
    detail::hybrid_reduce<T>(levels, detail::operands{detail::data_of(elements)}, view, op, root, options);
}

/// The same of elements that the ranks have written into another window, each into its own block: nothing is
/// copied. @param operands over the same ranks as `window`; of each rank as many elements as `window` has
/// @throws argument_error also for windows over other ranks
template <class T, class Op, topo::policy Between = automatic>
void reduce(const hierarchy& levels, const shared_window<T>& operands, shared_window<T>& window, Op op,
            int root, const policy<Between>& options = {}) {
    const auto [view, from] = detail::check_own("topo::hybrid::reduce", levels, [&] {
        detail::require_root("topo::hybrid::reduce", root, levels);
        const auto result = detail::view_of_window(window);
        return std::pair{result, detail::operands_in("topo::hybrid::reduce", operands, result)};
    });
    detail::hybrid_reduce<T>(levels, from, view, op, root, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void reduce(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<2, Given...>
void reduce(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that gets the result", "hybrid::reduce(levels, elements, window, op, root)");

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void reduce(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void reduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/reduce.ipp>
#endif
