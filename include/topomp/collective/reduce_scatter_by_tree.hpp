// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks' data combined, a block of the result for each rank, along trees that the program names.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/collective/detail/reduction_arguments.hpp>
#include <topomp/collective/detail/without_operation.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace topo {

namespace detail {

/// What all forms of the call check. Local. @return elements of all blocks @pre `input` and `mine` have
/// datatypes
std::size_t require_reduce_scatter(const char* call, const hierarchy& levels, const blocks& input,
                                   const message& mine);

/// Where a rank's block of the result goes, with the datatype of `input`. @pre `require_reduce_scatter`, and
/// `input` has positions where it has counts
message own_block(const blocks& input, const message& mine, int rank);

/// @param input with counts there are positions too @param elements of all blocks
/// @tparam Only `only_algorithm` of the policy
template <algorithm Only = algorithm::any>
void reduce_scatter(const hierarchy& levels, const blocks& input, std::size_t elements, const message& mine,
                    combination combiner, const plan& chosen);

/// @pre `require_reduce_scatter`
template <class Policy>
void reduce_scatter(const hierarchy& levels, const blocks& input, std::size_t elements, const message& mine,
                    combination combiner) {
    const std::size_t bytes = elements * type_layout{input.type}.size;
    const auto chosen =
        select<verb::reduce_scatter, Policy>(levels, bytes, combiner.is_commutative,
                                             {.op = combiner.op,
                                              .data = {nullptr, elements, input.type},
                                              .lengths = hash_of_lengths(input, levels.whole_size())});
    require_order("topo::reduce_scatter", chosen, combiner.is_commutative);
    if (elements == 0) return; // on which all ranks agree
    const blocks placed = with_positions(input);
    reduce_scatter<only_algorithm<Policy>>(levels, placed, elements,
                                           own_block(placed, mine, levels.whole_rank()), combiner, chosen);
}

} // namespace detail

/// Combines the ranks' elements, element by element and in the order of ranks; each rank gets its block of
/// the result.
///
/// The blocks of all ranks have the same bits in each run of the same program on the same machine, but with
/// `adaptive` or `TOPOMP_TUNING=probe`, which choose the algorithm by measured times.
/// @param input this rank's elements: a block for each rank, one behind the other in the order of ranks, all
/// of the same length or with a count for each, the same on all ranks
/// @param mine where this rank's block of the result goes, as long as its block and, unless that is empty, of
/// the datatype of `input`: the same handle; it may lie in `input`, also at its beginning. `MPI_IN_PLACE` as
/// data: in the place of this rank's block in `input`. The rest of `input` is as before
/// @param op associative; if it is not commutative, operands still meet in the order of ranks, whatever the
/// placement
/// @tparam Policy one that serves `reduce_scatter`, in the order of ranks if the operation is not
/// commutative: docs/collectives.md, 'Algorithms'
/// @collective over the whole, with the same operation, datatype and counts
/// @cost with n elements: of a tree, the sum of `reduce` and `scatterv`; hierarchical, as `all_reduce` of
/// all; halving moves n (p - 1) / p of them to and from each rank in log2 p steps, and n more where p is no
/// power of two; the ring as many in p - 1 steps. Halving and ring need memory for two times n elements at
/// most, trees on rank 0
/// @throws argument_error on the rank that sees it, before it sends anything: there is not a count for each
/// rank, positions are given, `mine` has another length than this rank's block or another datatype than
/// `input`, or the policy would reorder operands that must not be
/// @see MPI standard, Reduce-Scatter
template <policy Policy = automatic>
void reduce_scatter(const hierarchy& levels, blocks input, message mine, MPI_Op op, Policy = {}) {
    constexpr auto call = "topo::reduce_scatter";
    detail::combination combiner;
    const std::size_t elements = detail::check_own(call, levels, [&] {
        combiner = detail::require_operands(call, {nullptr, 0, input.type}, op).combiner;
        if (mine.data != MPI_IN_PLACE) detail::require_type(call, mine.type);
        return detail::require_reduce_scatter(call, levels, input, mine);
    });
    detail::reduce_scatter<Policy>(levels, input, elements, mine, combiner);
}

/// The same for consecutive elements, in blocks of different lengths: as many of them for each rank as
/// `counts` says.
/// @throws argument_error as above, or if the number of `elements` is not the sum of all counts
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
void reduce_scatter(const hierarchy& levels, const Elements& elements, const integers& counts,
                    Result&& result, Op op, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::reduce_scatter: elements and result must be of one type");
    detail::assert_readable<Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const message all = detail::view_of(elements), mine = detail::message_of(result);
    const blocks input{all.data, all.type, 0, counts};
    const auto combiner = detail::check_own("topo::reduce_scatter", levels, [&] {
        detail::require_counts("topo::reduce_scatter", input, levels);
        if (const auto expected = detail::require_reduce_scatter("topo::reduce_scatter", levels, input, mine);
            all.count != expected)
            throw argument_error("topo::reduce_scatter", "elements",
                                 "there are " + std::to_string(all.count) + ", the blocks have " +
                                     std::to_string(expected));
        return detail::combination_of<value_type>("topo::reduce_scatter", op);
    });
    detail::reduce_scatter<Policy>(levels, input, all.count, mine, combiner);
}

/// The same in blocks of the same length: that of `result`.
/// @throws argument_error if the number of `elements` is not that of all blocks
template <buffer Elements, writable_buffer Result, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
void reduce_scatter(const hierarchy& levels, const Elements& elements, Result&& result, Op op, Policy = {}) {
    using value_type = detail::element_value_t<Elements>;
    static_assert(std::is_same_v<value_type, detail::element_value_t<Result>>,
                  "topo::reduce_scatter: elements and result must be of one type");
    detail::assert_readable<Result>();
    detail::assert_order<Policy, detail::is_commutative<Op, value_type>>();
    const message all = detail::view_of(elements), mine = detail::message_of(result);
    const auto combiner = detail::check_own("topo::reduce_scatter", levels, [&] {
        detail::require_block_each("topo::reduce_scatter", "elements", all.count, mine.count, levels);
        detail::require_memory("topo::reduce_scatter", "elements", all.count, sizeof(value_type));
        detail::require_reduce_scatter("topo::reduce_scatter", levels, {all.data, all.type, mine.count},
                                       mine);
        return detail::combination_of<value_type>("topo::reduce_scatter", op);
    });
    detail::reduce_scatter<Policy>(levels, blocks{all.data, all.type, mine.count}, all.count, mine, combiner);
}

/// This rank's block of the ranks' elements combined, in blocks of the same length.
/// @throws argument_error if the number of elements is not a multiple of the number of ranks
template <buffer Elements, class Op, policy Policy = automatic>
    requires(!buffer<Op>)
auto reduce_scatter(const hierarchy& levels, const Elements& elements, Op op, Policy policy = {}) {
    detail::require_open("topo::reduce_scatter", levels);
    std::vector<detail::element_value_t<Elements>> mine(detail::length_of(elements) /
                                                        static_cast<std::size_t>(levels.whole_size()));
    reduce_scatter(levels, elements, mine, op, policy);
    return mine;
}

/// Without an operation it does not compile: the message says where it goes.
template <class... Given>
    requires(detail::without_operation<Given...>)
void reduce_scatter(const hierarchy&, const Given&...) TOPOMP_REFUSED(
    "topo: the operation is missing, such as std::plus<>{}: reduce_scatter(levels, elements, op), "
    "reduce_scatter(levels, elements, result, op) or reduce_scatter(levels, elements, counts, result, op)");

/// Counts behind the result, as in MPI_Reduce_scatter, do not compile where elements are no integers.
template <buffer Elements, buffer Result, class Counts, class Op, class... Rest>
    requires(!detail::range_of_integers<Result> && detail::range_of_integers<Counts>)
void reduce_scatter(const hierarchy&, const Elements&, const Result&, const Counts&, const Op&,
                    const Rest&...)
    TOPOMP_REFUSED("topo: counts stand behind the elements that they divide, before the result: "
                   "reduce_scatter(levels, elements, counts, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void reduce_scatter(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/reduce_scatter.ipp>
#endif
