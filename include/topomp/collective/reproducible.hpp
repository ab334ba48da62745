// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums of floating-point numbers that are the same for any number of ranks, placement and algorithm.
#pragma once

#include <topomp/algorithm/exact_sum.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/exact_calls.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/forms/all_reduce.hpp>
#include <topomp/collective/forms/reduce.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

/// Combines the ranks' elements of `float` or `double` into their exact sum, rounded once; see `exact_sum`
/// for NaN, infinities and zeros. It takes the place of `std::plus<>` in every verb that combines, and in
/// their non-blocking and persistent forms:
///
/// ```
///   topo::all_reduce(levels, field, field, topo::reproducible{}); // the sums take the place of the operands
///   topo::request sum = topo::iall_reduce(levels, mine, total, topo::reproducible{});
///   topo::persistent step = topo::all_reduce_init(levels, mine, total, topo::reproducible{});
///   const auto so_far = topo::scan(levels, mine, topo::reproducible{}, topo::binomial{});
/// ```
///
/// The bits of a result depend on the operands alone. A sum over elements that are distributed over the ranks
/// is the same for any number of ranks if each rank's part is an `exact_sum` and the ranks combine these:
/// `reproducible_sum` does so.
///
/// By `automatic` ranks on several nodes combine expansions, two doubles for each number and one for a float
/// (`detail::expansions`), and add again what these do not hold: as fixed-point numbers of 121 bits
/// (`detail::fixed_point`), doubles then as ones of 384 bits (`detail::sum_window`), and then as
/// `exact_sum`s. Where each rank is alone on its node, and in messages inside a node, longer operands go
/// directly: each rank gets all ranks' operands of a part of the elements (`detail::exact_operation`). By
/// other policies `exact_sum`s go the way of the policy, 35 times as many bytes (14 times for float).
/// @cost by expansions, from 8 KiB on as `detail::sum_in_lanes` and `detail::scan_in_lanes`, shorter ones
/// as with twice the bytes; where ranks have different sums, an all_reduce of an integer besides, without
/// waiting of a bit for each number; by fixed-point numbers 18 bytes a number in the place of 16; in one node
/// through its memory
///
/// A form that does not wait keeps a copy of the operands in the form in which they are combined. It adds
/// what expansions do not hold directly, in p - 1 messages a rank.
struct reproducible {
    /// The exact sum of two sums.
    template <class T>
    exact_sum<T> operator()(const exact_sum<T>& left, const exact_sum<T>& right) const {
        return left + right;
    }
    /// Other types do not compile; one sentence says which do.
    template <class T>
    T operator()(const T&, const T& right) const {
        static_assert(std::is_void_v<T>,
                      "topo::reproducible: sums of float or double by reduce, all_reduce, reduce_scatter, "
                      "scan, exclusive_scan and, with hybrid/reproducible.hpp, by hybrid::reduce and "
                      "hybrid::all_reduce, and by their non-blocking and persistent forms; elsewhere the "
                      "elements must be topo::exact_sum");
        return right;
    }
};

namespace detail {

/// Buffers whose elements are summed exactly.
template <class R>
concept summed_buffer = buffer<R> &&
    (std::same_as<detail::element_value_t<R>, float> || std::same_as<detail::element_value_t<R>, double>);

template <summed_buffer R>
using summed = detail::element_value_t<R>;

} // namespace detail

/// @pre both have the same size; they may be the same memory @collective over the whole
/// @throws argument_error if the sizes differ
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void all_reduce(const hierarchy& levels, const Elements& elements, Result&& result, reproducible op,
                Policy by = {}) {
    constexpr auto call = "topo::all_reduce";
    const auto both =
        detail::exact_operands<detail::verb::all_reduce, Policy>(levels, call, true, elements, result);
    detail::sum_by<Policy>(levels, both, both.of_all(),
                           [&](auto& sums) { all_reduce(levels, sums, sums, op, by); });
}

/// The sums on the root; elsewhere `result` is not touched and may be empty.
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void reduce(const hierarchy& levels, const Elements& elements, Result&& result, reproducible op, int root,
            Policy by = {}) {
    constexpr auto call = "topo::reduce";
    const auto both =
        detail::exact_operands_at<detail::verb::reduce, Policy>(levels, call, root, elements, result);
    detail::sum_by<Policy>(levels, both, both.of_all({root}),
                           [&](auto& sums) { reduce(levels, sums, sums, op, root, by); });
}

/// The sums of the calling rank's block. @see `reduce_scatter` for arguments and errors
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void reduce_scatter(const hierarchy& levels, const Elements& elements, const integers& counts,
                    Result&& result, reproducible op, Policy by = {}) {
    const auto both = detail::exact_blocks<Policy>(levels, "topo::reduce_scatter", elements, counts, result);
    detail::sum_by<Policy>(levels, both, both.own_block(counts), [&](auto& sums) {
        using sum = exact_sum<detail::summed<Elements>>;
        const std::vector<sum> all(std::ranges::begin(elements), std::ranges::end(elements));
        sums.assign(detail::length_of(result), sum{});
        reduce_scatter(levels, all, counts, sums, op, by);
    });
}

/// The same in blocks of the same length: that of `result`.
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void reduce_scatter(const hierarchy& levels, const Elements& elements, Result&& result, reproducible op,
                    Policy by = {}) {
    detail::require_open("topo::reduce_scatter", levels);
    const std::vector<std::size_t> counts(static_cast<std::size_t>(levels.whole_size()),
                                          detail::length_of(result));
    reduce_scatter(levels, elements, counts, result, op, by);
}

/// The sums of the elements of all ranks up to and with the calling one.
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void scan(const hierarchy& levels, const Elements& elements, Result&& result, reproducible op,
          Policy by = {}) {
    constexpr auto call = "topo::scan";
    const auto both =
        detail::exact_operands<detail::verb::scan, Policy>(levels, call, true, elements, result);
    detail::sum_by<Policy>(levels, both, both.prefix(detail::exact_result::prefix),
                           [&](auto& sums) { scan(levels, sums, sums, op, by); });
}

/// The sums of the elements of all ranks before the calling one; rank 0's result is not touched.
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
void exclusive_scan(const hierarchy& levels, const Elements& elements, Result&& result, reproducible op,
                    Policy by = {}) {
    constexpr auto call = "topo::exclusive_scan";
    auto both =
        detail::exact_operands<detail::verb::exclusive_scan, Policy>(levels, call, true, elements, result);
    both.has_result = levels.whole_rank() != 0;
    detail::sum_by<Policy>(levels, both, both.prefix(detail::exact_result::prefix_before),
                           [&](auto& sums) { exclusive_scan(levels, sums, sums, op, by); });
}

/// Starts `all_reduce`. @see `iall_reduce` for what must stay until the request is complete
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
request iall_reduce(const hierarchy& levels, Elements&& elements, Result&& result, reproducible op,
                    Policy by = {}) {
    return detail::all_reduce_form<detail::at_once>("topo::iall_reduce", levels, elements, result, op, by);
}

/// Starts `reduce`.
template <detail::summed_buffer Elements, writable_buffer Result, policy Policy = automatic>
request ireduce(const hierarchy& levels, Elements&& elements, Result&& result, reproducible op, int root,
                Policy by = {}) {
    return detail::reduce_form<detail::at_once>("topo::ireduce", levels, elements, result, op, root, by);
}

/// The sum of all elements of all ranks: the same bits for any distribution over any number of ranks, empty
/// parts too.
/// @cost locally a few ns for each element; an all_reduce of one `exact_sum` @collective over the whole
template <detail::summed_buffer Elements, policy Policy = automatic>
detail::summed<Elements> reproducible_sum(const hierarchy& levels, const Elements& elements, Policy by = {}) {
    detail::require_open("topo::reproducible_sum", levels);
    exact_sum<detail::summed<Elements>> mine;
    mine.add(elements);
    return all_reduce(levels, mine, reproducible{}, by).value();
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void reproducible_sum(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

namespace boost::mpi {

template <class T>
struct is_commutative<topo::reproducible, topo::exact_sum<T>> : mpl::true_ {};

} // namespace boost::mpi
