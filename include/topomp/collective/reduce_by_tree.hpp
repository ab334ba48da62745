// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined on one rank, along trees that the program names.
#pragma once

#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/without_operation.hpp>
#include <topomp/collective/detail/without_root.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void reduce(const hierarchy& levels, const void* input, const message& result, combination combiner, int root,
            const plan& chosen);

} // namespace detail

/// Combines the ranks' elements, element by element and in the order of ranks, into `result` on the root.
///
/// @param input this rank's elements, `result.count` of them; `MPI_IN_PLACE` on the root: those in `result`
/// @param result where the root gets the result, which may have a derived datatype; elsewhere `data` is not
/// used
/// @param op associative; if it is not commutative, operands still meet in the order of ranks, whatever the
/// placement
/// @tparam Policy one that serves `reduce`, in the order of ranks if the operation is not commutative:
/// docs/collectives.md, 'Algorithms'
/// @collective over the whole, with the same root, operation and type signature
/// @throws argument_error if there is no such root, if the policy would reorder operands that must not be, or
/// if the operation cannot combine elements of that datatype
/// @see MPI standard, Reduce; paper 1, section 7.2
template <policy Policy = automatic>
void reduce(const hierarchy& levels, const void* input, message result, MPI_Op op, int root, Policy = {}) {
    const auto [combiner, bytes] = detail::check_own("topo::reduce", levels, [&] {
        detail::require_root("topo::reduce", root, levels);
        return detail::require_operands("topo::reduce", input, result, op, levels.whole_rank() == root);
    });
    detail::reduce<detail::only_algorithm<Policy>>(
        levels, input == MPI_IN_PLACE ? result.data : input, result, combiner, root,
        detail::select<detail::verb::reduce, Policy>(levels, bytes, combiner.is_commutative,
                                                     {.root = root, .op = op, .data = result}));
}

/// Combines the ranks' elements into `result` on the root; elsewhere `result` is not touched and may be
/// empty.
/// @pre on the root, `result` has as many elements as `elements`; it may be the same memory
/// @throws argument_error as above, or if on the root the sizes differ
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
void reduce(const hierarchy& levels, const Elements& elements, Result&& result, Op op, int root,
            Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::reduce: elements and result must be of one type");
    detail::assert_readable<Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const std::size_t count = detail::length_of(elements);
    const auto [combiner, bytes] = detail::check_own("topo::reduce", levels, [&] {
        detail::require_root("topo::reduce", root, levels);
        return detail::require_operands<value_type>("topo::reduce", op, levels.whole_rank() == root, count,
                                                    detail::length_of(result), detail::data_of(elements),
                                                    detail::data_of(result));
    });
    const message what{detail::data_of(result), count, detail::datatype_of<value_type>()};
    detail::reduce<detail::only_algorithm<Policy>>(
        levels, detail::data_of(elements), what, combiner, root,
        detail::select<detail::verb::reduce, Policy>(levels, bytes, combiner.is_commutative,
                                                     {.root = root, .op = combiner.op, .data = what}));
}

/// The ranks' elements combined, element by element, on the root; nothing elsewhere. All ranks give equally
/// many.
template <buffer Elements, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto reduce(const hierarchy& levels, const Elements& elements, Op op, int root, Policy policy = {}) {
    detail::require_open("topo::reduce", levels);
    std::vector<detail::element_value_t<Elements>> result(
        levels.whole_rank() == root ? detail::length_of(elements) : 0);
    reduce(levels, elements, result, op, root, policy);
    return result;
}

/// Combines one value of each rank; `result` is the root's.
template <single_value T, class Op, policy Policy = automatic>
void reduce(const hierarchy& levels, const T& value, T& result, Op op, int root, Policy policy = {}) {
    reduce(levels, std::span<const T>{&value, 1}, std::span<T>{&result, 1}, op, root, policy);
}

/// The ranks' values combined, on the root; a value-initialised one elsewhere.
template <single_value T, class Op, policy Policy = automatic>
T reduce(const hierarchy& levels, const T& value, Op op, int root, Policy policy = {}) {
    T result{};
    reduce(levels, value, result, op, root, policy);
    return result;
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<2, Given...>
void reduce(const hierarchy&, const Given&...)
    TOPOMP_NEEDS_ROOT("that gets the result",
                      "reduce(levels, elements, op, root) or reduce(levels, elements, result, op, root)");

/// Without an operation it does not compile: the message says where it goes.
template <class... Given>
    requires(detail::without_operation<Given...> && (!detail::without_root<2, Given...>))
void reduce(const hierarchy&, const Given&...) TOPOMP_REFUSED(
    "topo: the operation is missing, such as std::plus<>{}: reduce(levels, elements, op, root) or "
    "reduce(levels, elements, result, op, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void reduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce.ipp>
#endif
