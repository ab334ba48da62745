// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that trees carry: broadcast, reduce, all-reduce, barrier.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_down.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/algorithm/tree_up.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

inline segments cut(const message& what, std::size_t segment_bytes) {
    return {what.count, size_of(what.type), segment_bytes};
}

class broadcast_operation final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, message what, int root) {
        edges_ = ranks.edges_for(plan, root, operand_order::any);
        go(ranks, plan, what);
    }

    /// The same without waiting for anybody: from a root that is new, through rank 0.
    void start_at_once(team& ranks, const tree_plan& plan, message what, int root) {
        if (ranks.knows(root)) return start(ranks, plan, what, root);
        edges_ = ranks.edges_for(plan, 0, operand_order::any);
        std::erase(edges_.children, root);
        if (ranks.rank() == 0) edges_.parent = root;
        if (ranks.rank() == root) {
            edges_.parent = -1;
            edges_.children.insert(edges_.children.begin(), 0);
        }
        go(ranks, plan, what);
    }

private:
    void go(team& ranks, const tree_plan& plan, message what) {
        slots_.clear();
        down_.start(ranks.wire(), ranks.next_tag(), edges_, what, cut(what, plan.segment_bytes), slots_);
    }

    bool advance() override { return down_.advance(); }

    tree_edges edges_;
    tree_down down_;
};

class reduce_operation final : public operation {
public:
    /// @pre if `how` is not commutative, the plan keeps the order
    void start(team& ranks, const tree_plan& plan, const void* input, message result, combination how,
               int root) {
        slots_.clear();
        has_detour_ = false;
        team& chosen = ranks.for_operands(plan, order_for(how));
        edges_ = chosen.edges_for(plan, root, order_for(how));
        up_.start(chosen.wire(), chosen.next_tag(), edges_, input, result, how,
                  cut(result, plan.segment_bytes), slots_);
    }

    /// The same without waiting for anybody: to a root that is new, through rank 0.
    void start_at_once(team& ranks, const tree_plan& plan, const void* input, message result, combination how,
                       int root) {
        team& chosen = ranks.for_operands(plan, order_for(how));
        if (chosen.knows(root)) return start(ranks, plan, input, result, how, root);
        slots_.clear();
        edges_ = chosen.edges_for(plan, 0, order_for(how));
        const segments pieces = cut(result, plan.segment_bytes);
        const bool is_first = edges_.parent < 0, is_last = chosen.rank() == root;
        message sum = result;
        if (is_first) {
            const type_layout layout{result.type};
            sum_.reserve(layout.span(result.count));
            sum.data = sum_.data() - layout.true_lower;
        }
        has_detour_ = is_first || is_last;
        up_.start(chosen.wire(), chosen.next_tag(), edges_, input, sum, how, pieces, slots_);
        const int tag = chosen.next_tag();
        if (!has_detour_) return;
        detour_edges_.parent = is_first ? -1 : 0;
        detour_edges_.children.assign(is_first ? 1 : 0, root);
        detour_.start(chosen.wire(), tag, detour_edges_, is_first ? sum : result, pieces, slots_);
    }

private:
    static operand_order order_for(combination how) {
        return how.is_commutative ? operand_order::any : operand_order::of_ranks;
    }

    bool advance() override {
        const bool is_up = up_.advance();
        if (!has_detour_) return is_up;
        const bool is_there =
            edges_.parent < 0 ? detour_.advance(up_.complete()) : detour_.advance(0, up_.released());
        return is_up && is_there;
    }

    tree_edges edges_, detour_edges_;
    tree_up up_;
    tree_down detour_; ///< from rank 0 to the root
    cell sum_;         ///< rank 0's result on a detour
    bool has_detour_ = false;
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
        team& chosen = ranks.for_operands(plan, order);
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

} // namespace topo::detail
