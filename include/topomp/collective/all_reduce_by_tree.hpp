// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on every rank, along trees that the program names.
#pragma once

#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/without_operation.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/inplace.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void all_reduce(const hierarchy& levels, const void* input, const message& result, combination combiner,
                const plan& chosen);

} // namespace detail

/// Combines the ranks' elements, element by element and in the order of ranks, into `result` on every rank.
///
/// All ranks get the same bits, and the same again in another run of the same program on the same machine,
/// but with `adaptive` or `TOPOMP_TUNING=probe`, which choose the algorithm by measured times.
/// @param input this rank's elements, `result.count` of them; `MPI_IN_PLACE`: those in `result`
/// @param op associative; if it is not commutative, operands still meet in the order of ranks, whatever the
/// placement
/// @tparam Policy one that serves `all_reduce`, in the order of ranks if the operation is not commutative:
/// docs/collectives.md, 'Algorithms'
/// @collective over the whole, with the same operation and type signature
/// @throws argument_error if the policy would reorder operands that must not be, or if the operation cannot
/// combine elements of that datatype
/// @see MPI standard, All-Reduce
template <policy Policy = automatic>
void all_reduce(const hierarchy& levels, const void* input, message result, MPI_Op op, Policy = {}) {
    const auto [combiner, bytes] = detail::check_own("topo::all_reduce", levels, [&] {
        return detail::require_operands("topo::all_reduce", input, result, op);
    });
    detail::all_reduce<detail::only_algorithm<Policy>>(
        levels, input == MPI_IN_PLACE ? result.data : input, result, combiner,
        detail::select<detail::verb::all_reduce, Policy>(levels, bytes, combiner.is_commutative,
                                                         {.op = op, .data = result}));
}

/// Combines the ranks' elements into `result` on every rank. @pre both have the same size; they may be the
/// same memory
/// @throws argument_error as above, or if the sizes differ
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
void all_reduce(const hierarchy& levels, const Elements& elements, Result&& result, Op op, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::all_reduce: elements and result must be of one type");
    detail::assert_readable<Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const message what = detail::message_of(result);
    const auto [combiner, bytes] = detail::check_own("topo::all_reduce", levels, [&] {
        return detail::require_operands<value_type>("topo::all_reduce", op, true, detail::length_of(elements),
                                                    what.count, detail::data_of(elements),
                                                    detail::data_of(result));
    });
    detail::all_reduce<detail::only_algorithm<Policy>>(
        levels, detail::data_of(elements), what, combiner,
        detail::select<detail::verb::all_reduce, Policy>(levels, bytes, combiner.is_commutative,
                                                         {.op = combiner.op, .data = what}));
}

/// The ranks' elements combined, element by element, on every rank; all give as many.
template <buffer Elements, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto all_reduce(const hierarchy& levels, const Elements& elements, Op op, Policy policy = {}) {
    std::vector<detail::element_value_t<Elements>> result(detail::length_of(elements));
    all_reduce(levels, elements, result, op, policy);
    return result;
}

/// The ranks' values combined, on every rank.
template <single_value T, class Op, policy Policy = automatic>
T all_reduce(const hierarchy& levels, const T& value, Op op, Policy policy = {}) {
    T result = value;
    all_reduce(levels, std::span<const T>{&result, 1}, std::span<T>{&result, 1}, op, policy);
    return result;
}

/// The same into `result`, which may be the value.
template <single_value T, class Op, policy Policy = automatic>
void all_reduce(const hierarchy& levels, const T& value, T& result, Op op, Policy policy = {}) {
    all_reduce(levels, std::span<const T>{&value, 1}, std::span<T>{&result, 1}, op, policy);
}

/// The ranks' elements or values combined where they are: `boost::mpi::inplace(values)`.
template <class T, class Op, policy Policy = automatic>
    requires buffer<T> || single_value<T>
void all_reduce(const hierarchy& levels, boost::mpi::inplace_t<T> data, Op op, Policy policy = {}) {
    all_reduce(levels, data.buffer, data.buffer, op, policy);
}

/// Without an operation it does not compile: the message says where it goes.
template <class... Given>
    requires(detail::without_operation<Given...>)
void all_reduce(const hierarchy&, const Given&...) TOPOMP_REFUSED(
    "topo: the operation is missing, such as std::plus<>{}: all_reduce(levels, elements, op) or "
    "all_reduce(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_reduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/all_reduce.ipp>
#endif
