// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that trees carry: broadcast, reduce, all-reduce, barrier.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>

namespace topo::detail {

segments cut(const message& what, std::size_t segment_bytes);

class broadcast_operation final : public operation {
public:
    void start(context& ranks, const tree_plan& plan, message what, int root);

    /// The same without waiting: a root without edges of its own sends through rank 0.
    void start_at_once(context& ranks, const tree_plan& plan, message what, int root);

private:
    void go(context& ranks, const tree_plan& plan, message what);

    bool advance() override { return down_.advance(); }

    tree_edges edges_;
    tree_down down_;
};

class reduce_operation final : public operation {
public:
    /// @pre if `combiner` is not commutative, the plan preserves the order
    void start(context& ranks, const tree_plan& plan, const void* input, message result, combination combiner,
               int root);

    /// The same without waiting: a root without edges of its own receives through rank 0.
    void start_at_once(context& ranks, const tree_plan& plan, const void* input, message result,
                       combination combiner, int root);

private:
    static operand_order order_for(combination combiner);

    TOPOMP_INLINE bool advance() override;

    tree_edges edges_, detour_edges_;
    tree_up up_;
    tree_down detour_;   ///< from rank 0 to the root
    scratch_buffer sum_; ///< rank 0's result if it goes through rank 0
    bool has_detour_ = false;
};

/// Up to rank 0 and down again, segment behind segment, so that both directions of every link are busy.
class all_reduce_operation final : public operation {
public:
    void start(context& ranks, const tree_plan& plan, const void* input, message result,
               combination combiner);
    /// Empty messages up and down: no rank returns before all have called.
    void start_barrier(context& ranks, const tree_plan& plan);

private:
    void start(context& ranks, const tree_plan& plan, const void* input, message result, combination combiner,
               const segments& pieces);

    TOPOMP_INLINE bool advance() override;

    tree_up up_;
    tree_down down_;
    bool is_root_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/tree_operations.ipp>
#endif
