// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that trees carry: broadcast, reduce, all-reduce, barrier.
#pragma once

#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_down.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/algorithm/tree_up.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

inline segments cut(const message& what, std::size_t segment_bytes) {
    return {what.count, type_layout{what.type}.size, segment_bytes};
}

class broadcast_operation final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, message what, int root) {
        slots_.clear();
        down_.start(ranks.wire(), ranks.next_tag(), ranks.edges_for(plan, root, operand_order::any), what,
                    cut(what, plan.segment_bytes), slots_);
    }

private:
    bool advance() override { return down_.advance(); }

    tree_down down_;
};

class reduce_operation final : public operation {
public:
    /// @pre if `how` is not commutative, the plan keeps the order
    void start(team& ranks, const tree_plan& plan, const void* input, message result, combination how,
               int root) {
        slots_.clear();
        const auto order = how.is_commutative ? operand_order::any : operand_order::of_ranks;
        team& chosen = how.is_commutative ? ranks : ranks.in_rank_order();
        up_.start(chosen.wire(), chosen.next_tag(), chosen.edges_for(plan, root, order), input, result, how,
                  cut(result, plan.segment_bytes), slots_);
    }

private:
    bool advance() override { return up_.advance(); }

    tree_up up_;
};

/// Up to rank 0 and down again, segment behind segment, so that both directions of every link are busy.
class all_reduce_operation final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, const void* input, message result, combination how) {
        start(ranks, plan, input, result, how, cut(result, plan.segment_bytes));
    }
    /// Nothing up and nothing down: nobody leaves before all have come.
    void start_barrier(team& ranks, const tree_plan& plan) {
        start(ranks, plan, nullptr, {}, {}, segments::signal());
    }

private:
    void start(team& ranks, const tree_plan& plan, const void* input, message result, combination how,
               const segments& pieces) {
        slots_.clear();
        const auto order = how.is_commutative ? operand_order::any : operand_order::of_ranks;
        team& chosen = how.is_commutative ? ranks : ranks.in_rank_order();
        const tree_edges& edges = chosen.edges_for(plan, 0, order);
        is_root_ = edges.parent < 0;
        up_.start(chosen.wire(), chosen.next_tag(), edges, input, result, how, pieces, slots_);
        down_.start(chosen.wire(), chosen.next_tag(), edges, result, pieces, slots_);
    }

    bool advance() override {
        const bool is_up = up_.advance();
        const bool is_down = is_root_ ? down_.advance(up_.complete()) : down_.advance(0, up_.released());
        return is_up && is_down;
    }

    tree_up up_;
    tree_down down_;
    bool is_root_ = false;
};

/// Starts an operation from the pool, runs it to the end and puts it back.
template <class Operation, class Start>
void run(operation_pool<Operation>& pool, Start start) {
    auto running = pool.take();
    start(*running);
    running->wait();
    pool.give_back(std::move(running));
}

} // namespace topo::detail
