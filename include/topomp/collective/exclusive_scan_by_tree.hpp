// SPDX-License-Identifier: BSL-1.0
/// @file
/// Each rank's data combined with that of all ranks before it, without its own, along trees that the program
/// names.
#pragma once

#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/collective/detail/without_operation.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace topo {

/// Combines, element by element and in the order of ranks, the elements of all ranks before the calling one
/// into `result`.
///
/// @param input this rank's elements, `result.count` of them; `MPI_IN_PLACE`: those in `result`
/// @param result may have a derived datatype; rank 0's is not touched, because no rank precedes it
/// @param op associative; operands meet in the order of ranks, whatever the placement
/// @tparam Policy `automatic`, `shared`, `flat`, or a shape or `per_level` of shapes whose subtrees are
/// intervals of ranks (`linear`, `chain`, `k_nomial<K>`, `in_order_binary`; not `binary`), also `segmented`
/// @collective over the whole, with the same operation and type signature
/// @cost along a tree of depth D: 2 D transfers, one segment after the other; through the memory of N nodes
/// about log2 N transfers along each lane, and inside nodes two copies
/// @throws argument_error if the operation cannot combine elements of that datatype @see MPI standard,
/// Exclusive Scan
template <policy Policy = automatic>
void exclusive_scan(const hierarchy& levels, const void* input, message result, MPI_Op op, Policy = {}) {
    detail::assert_scans<Policy>();
    const std::size_t bytes = detail::check_own("topo::exclusive_scan", levels, [&] {
        return detail::require_operands("topo::exclusive_scan", input, result, op, levels.whole_rank() > 0)
            .bytes;
    });
    detail::scan<detail::only_algorithm<Policy>>(levels, input == MPI_IN_PLACE ? result.data : input, result,
                                                 op, detail::scan_kind::exclusive,
                                                 detail::select<detail::verb::exclusive_scan, Policy>(
                                                     levels, bytes, false, {.op = op, .data = result}));
}

/// The same for consecutive elements. @pre both have the same size; they may be the same memory
/// @throws argument_error as above, or if the sizes differ
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
void exclusive_scan(const hierarchy& levels, const Elements& elements, Result&& result, Op op,
                    Policy policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::exclusive_scan: elements and result must be of one type");
    detail::assert_readable<Result>();
    const message what = detail::message_of(result);
    const auto combiner = detail::check_own("topo::exclusive_scan", levels, [&] {
        return detail::require_operands<value_type>("topo::exclusive_scan", op, true,
                                                    detail::length_of(elements), what.count,
                                                    detail::data_of(elements), detail::data_of(result))
            .combiner;
    });
    exclusive_scan(levels, detail::data_of(elements), what, combiner.op, policy);
}

/// The elements of all ranks before the calling one combined, element by element; on rank 0 value-initialised
/// ones.
template <buffer Elements, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto exclusive_scan(const hierarchy& levels, const Elements& elements, Op op, Policy policy = {}) {
    std::vector<detail::element_value_t<Elements>> result(detail::length_of(elements));
    exclusive_scan(levels, elements, result, op, policy);
    return result;
}

/// The same for one value of each rank; rank 0 gets a value-initialised one.
template <single_value T, class Op, policy Policy = automatic>
T exclusive_scan(const hierarchy& levels, const T& value, Op op, Policy policy = {}) {
    T result = T{};
    exclusive_scan(levels, std::span<const T>{&value, 1}, std::span<T>{&result, 1}, op, policy);
    return result;
}

/// The same into `result`; rank 0's is not touched.
template <single_value T, class Op, policy Policy = automatic>
void exclusive_scan(const hierarchy& levels, const T& value, T& result, Op op, Policy policy = {}) {
    exclusive_scan(levels, std::span<const T>{&value, 1}, std::span<T>{&result, 1}, op, policy);
}

/// Without an operation it does not compile: the message says where it goes.
template <class... Given>
    requires(detail::without_operation<Given...>)
void exclusive_scan(const hierarchy&, const Given&...) TOPOMP_REFUSED(
    "topo: the operation is missing, such as std::plus<>{}: exclusive_scan(levels, elements, op) or "
    "exclusive_scan(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void exclusive_scan(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
