// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// What the algorithm between nodes does with all ranks of these.
inline const calls_among_all& among_all(const loop_plan& plan) {
    return plan.rules.back().algorithm.among_all;
}

TOPOMP_INLINE void hierarchical_broadcast(context& ranks, const loop_plan& plan, const message& what,
                                          int root) {
    if (const auto by_all = among_all(plan).broadcast; by_all != nullptr && by_all(ranks, plan, what, root))
        return;
    const level_loop& loop = level_loop::of(ranks, plan);
    const auto& path = ranks.path_of(root);
    const int around = loop.around(path);
    for (int depth = around - 1; depth >= 0; --depth)
        if (const auto& [here, combiner, all] = loop.at(depth); here != nullptr)
            combiner->broadcast(*here, what, loop.root_at(depth, path, root));
    for (int depth = around; depth <= loop.depth(); ++depth)
        if (const auto& [here, combiner, all] = loop.at(depth); here != nullptr)
            combiner->broadcast(*here, what, 0);
}

TOPOMP_INLINE void growing_sum::reduce(const level_loop::stop& at, MPI_Op op, int root) {
    if (at.algorithm->reduce_input == nullptr) return at.algorithm->reduce(*at.here, in_place(), op, root);
    if (at.here->rank() != root) return at.algorithm->reduce_input(*at.here, current_, place_, op, root);
    at.algorithm->reduce_input(*at.here, current_, place(), op, root);
    current_ = place_.data;
}

TOPOMP_INLINE void growing_sum::all_reduce(const level_loop::stop& at, MPI_Op op) {
    if (at.algorithm->all_reduce_input == nullptr) return at.algorithm->all_reduce(*at.here, in_place(), op);
    at.algorithm->all_reduce_input(*at.here, current_, place(), op);
    current_ = place_.data;
}

TOPOMP_INLINE const message& growing_sum::in_place() {
    if (current_ == place().data) return place_;
    in_countable_pieces(place_, [&](std::size_t first, int count) {
        copy_elements(element_at(current_, first, place_.type), element_at(place_.data, first, place_.type),
                      count, place_.type);
    });
    current_ = place_.data;
    return place_;
}

TOPOMP_INLINE const message& growing_sum::place() {
    if (place_.data != nullptr || place_.count == 0) return place_;
    const type_layout layout{place_.type};
    place_.data = ranks_.scratch(layout.span(place_.count)) - layout.true_lower;
    return place_;
}

TOPOMP_INLINE void hierarchical_reduce(context& ranks, const loop_plan& plan, growing_sum& sum, MPI_Op op,
                                       int root) {
    const level_loop& loop = level_loop::of(ranks, plan);
    const auto& path = ranks.path_of(root);
    const int around = loop.around(path);
    for (int depth = loop.depth(); depth >= around; --depth)
        if (const auto& at = loop.at(depth); at.here != nullptr) sum.reduce(at, op, 0);
    for (int depth = 0; depth < around; ++depth)
        if (const auto& at = loop.at(depth); at.here != nullptr)
            sum.reduce(at, op, loop.root_at(depth, path, root));
}

TOPOMP_INLINE void hierarchical_reduce(context& all_ranks, const loop_plan& plan, const void* input,
                                       const message& result, combination combiner, int root) {
    if (const auto by_all = among_all(plan).reduce; by_all != nullptr && combiner.is_commutative &&
                                                    by_all(all_ranks, plan, input, result, combiner.op, root))
        return;
    context& ranks = combiner.is_commutative ? all_ranks : all_ranks.in_rank_order();
    const int end = combiner.is_commutative ? root : 0; // where the levels lead
    const bool ends_here = ranks.rank() == end;
    growing_sum sum{
        ranks, input, {ends_here && end == root ? result.data : nullptr, result.count, result.type}};
    hierarchical_reduce(ranks, plan, sum, combiner.op, end);
    if (ends_here) static_cast<void>(sum.in_place()); // if no rank had anything for this rank
    if (end == root) return;
    const int tag = ranks.next_tag();
    in_countable_pieces(result, [&](std::size_t first, int count) {
        if (ends_here)
            ranks.running().send(element_at(sum.in_place().data, first, result.type), count, result.type,
                                 root, tag, ranks.private_comm(), "result to the root");
        if (ranks.rank() == root)
            ranks.running().receive(element_at(result.data, first, result.type), count, result.type, end, tag,
                                    ranks.private_comm(), "result to the root");
    });
}

TOPOMP_INLINE void hierarchical_all_reduce(context& all_ranks, const loop_plan& plan, const void* input,
                                           const message& result, combination combiner) {
    if (const auto by_all = among_all(plan).all_reduce;
        by_all != nullptr && combiner.is_commutative && by_all(all_ranks, plan, input, result, combiner.op))
        return;
    context& ranks = combiner.is_commutative ? all_ranks : all_ranks.in_rank_order();
    const level_loop& loop = level_loop::of(ranks, plan);
    growing_sum sum{ranks, input, result};
    for (int depth = loop.depth(); depth > 0; --depth)
        if (const auto& at = loop.at(depth); at.here != nullptr) sum.reduce(at, combiner.op, 0);
    if (const auto& at = loop.at(0); at.here != nullptr) sum.all_reduce(at, combiner.op);
    if (ranks.private_comm().size() == 1) static_cast<void>(sum.in_place());
    for (int depth = 1; depth <= loop.depth(); ++depth)
        if (const auto& [here, by, all] = loop.at(depth); here != nullptr) by->broadcast(*here, result, 0);
}

TOPOMP_INLINE void hierarchical_barrier(context& ranks, const loop_plan& plan) {
    if (const auto by_all = among_all(plan).barrier; by_all != nullptr && by_all(ranks, plan)) return;
    const level_loop& loop = level_loop::of(ranks, plan);
    for (int depth = loop.depth(); depth > 0; --depth)
        if (const auto& [here, combiner, all] = loop.at(depth); here != nullptr) combiner->arrive(*here);
    if (const auto& [here, combiner, all] = loop.at(0); here != nullptr) combiner->barrier(*here);
    for (int depth = 1; depth <= loop.depth(); ++depth)
        if (const auto& [here, combiner, all] = loop.at(depth); here != nullptr) combiner->release(*here);
}

} // namespace topo::detail
