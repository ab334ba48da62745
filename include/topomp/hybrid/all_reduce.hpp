// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined, once per node.
#pragma once

#include <topomp/collective/all_reduce.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/detail/operands.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace topo {

namespace detail {

using all_reduce_between = void (*)(const hierarchy& groups, const message& result,
                                    const combination& combiner);

template <class Between>
void all_reduce_by(const hierarchy& groups, const message& result, const combination& combiner) {
    topo::all_reduce(groups, MPI_IN_PLACE, result, combiner.op, Between{});
}

/// The algorithm of a hybrid reduction.
struct reduction_options {
    hybrid::combining inside{};
    hybrid::meeting sync{};
    bool by_lanes = false;
};

void hybrid_all_reduce(const hierarchy& levels, const window_view& window, const operands& from,
                       const combination& combiner, const reduction_options& options,
                       all_reduce_between between);

/// From so many bytes on all lanes take part: more ranks share the combining.
inline constexpr std::size_t all_reduce_by_lanes_from = std::size_t{1} << 18;

template <class Between>
reduction_options reduction_options_of(const hybrid::policy<Between>& options, std::size_t bytes) {
    const bool by_lanes = options.across == hybrid::carriers::best
                              ? bytes >= all_reduce_by_lanes_from
                              : options.across == hybrid::carriers::lanes;
    return {options.inside, options.sync, by_lanes};
}

/// The calling rank's operands in a window, and those of all ranks. @throws argument_error if a rank of the
/// group has another number of operands, or if the ranks are not those of the result
template <class T>
operands operands_in(std::string_view call, const shared_window<T>& window, const window_view& result) {
    if (MPI_Comm{window.comm()} != MPI_Comm{result.comm})
        throw argument_error(call, "operands",
                             "other ranks share them than share the result: make both windows over the same");
    // The other ranks throw because of their own windows.
    require_elements(call, "operands", window.local().size(), result.all.count);
    return {&window,
            [](const void* from, int rank) -> const void* {
                return static_cast<const shared_window<T>*>(from)->of(rank).data();
            },
            window.rank()};
}

template <class T, class Op, class Between>
void hybrid_all_reduce(const hierarchy& levels, const operands& from, const window_view& result, Op op,
                       const hybrid::policy<Between>& options) {
    assert_order<Between, is_commutative<Op, T>>();
    constexpr auto call = "topo::hybrid::all_reduce";
    const auto combined = check_own(call, levels, [&] { return combination_of<T>(call, op); });
    check_hybrid_call<verb::all_reduce>(levels, result, result.bytes(), combined.is_commutative,
                                        {.call = call, .op = combined.op, .data = result.all}, options);
    require_order_of<Between>(call, combined.is_commutative);
    check_host_memory(levels, call, {from.mine()});
    hybrid_all_reduce(levels, result, from, combined, reduction_options_of(options, result.bytes()),
                      &all_reduce_by<Between>);
}

} // namespace detail

namespace hybrid {

/// Combines the ranks' elements, element by element and in the order of ranks, into the window of every node.
/// All nodes get the same bits, and the same again in another run on the same machine, but with `adaptive` or
/// `TOPOMP_TUNING=probe`, which choose the algorithm by measured times.
///
/// When a rank returns, it may change its elements, and may read the window until it calls the next verb with
/// it, or writes into it. The others of its node may then not have returned yet, so a program
/// that writes into the window itself calls its `fence()` before.
///
/// @param elements the calling rank's, as many as the window has
/// @param window over `levels`, or over levels of which each rank is in one; of one length on all ranks
/// @param op associative; if it is not commutative, operands still meet in the order of ranks
/// @collective over the whole, with the same operation and policy
/// @cost by slices: each rank copies its elements into shared memory, and combines one stripe of all ranks'
/// elements; among one rank of each node a `topo::all_reduce` (by lanes, of a stripe of the elements among as
/// many as the smallest node has)
/// @throws argument_error on the rank that sees it: lengths that do not fit
/// @see paper 2, section 4.4
template <buffer Elements, class T, class Op, topo::policy Between = automatic>
void all_reduce(const hierarchy& levels, const Elements& elements, shared_window<T>& window, Op op,
                const policy<Between>& options = {}) {
    static_assert(std::is_same_v<detail::element_value_t<Elements>, T>,
                  "topo::hybrid::all_reduce: elements and those of the shared_window must be of one type");
    const auto view = detail::check_own("topo::hybrid::all_reduce", levels, [&] {
        detail::require_elements("topo::hybrid::all_reduce", "elements", detail::length_of(elements),
                                 window.size());
        detail::require_data("topo::hybrid::all_reduce", "elements", detail::data_of(elements),
                             detail::length_of(elements), detail::datatype_of<T>());
        return detail::view_of_window(window);
    });
    detail::hybrid_all_reduce<T>(levels, detail::operands{detail::data_of(elements)}, view, op, options);
}

/// The same of elements that the ranks have written into another window, each into its own block: nothing is
/// copied. @param operands over the same ranks as `window`; of each rank as many elements as `window` has
/// @throws argument_error also for windows over other ranks
template <class T, class Op, topo::policy Between = automatic>
void all_reduce(const hierarchy& levels, const shared_window<T>& operands, shared_window<T>& window, Op op,
                const policy<Between>& options = {}) {
    const auto [view, from] = detail::check_own("topo::hybrid::all_reduce", levels, [&] {
        const auto result = detail::view_of_window(window);
        return std::pair{result, detail::operands_in("topo::hybrid::all_reduce", operands, result)};
    });
    detail::hybrid_all_reduce<T>(levels, from, view, op, options);
}

/// A pointer and a count do not compile: the message names what does.
template <class T, class... Rest>
void all_reduce(const hierarchy&, const T*, std::size_t, Rest&&...) {
    static_assert(detail::counted<const T*>);
}

/// An ordinary policy does not compile: the message says how it is written here.
template <class... Given>
    requires(sizeof...(Given) > 1 && detail::ends_with_policy<Given...>)
void all_reduce(const hierarchy&, const Given&...) TOPOMP_NEEDS_HYBRID_POLICY;

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_reduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace hybrid
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_reduce.ipp>
#endif
