// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/scan_operation.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>

namespace topo::detail {

TOPOMP_INLINE void scan_operation::start(context& all, const tree_plan& plan, const void* input,
                                         const message& result, MPI_Op op, scan_kind kind) {
    context& ranks = all.for_operands(plan, operand_order::of_ranks);
    private_comm_ = ranks.private_comm();
    up_tag_ = ranks.next_tag();
    down_tag_ = ranks.next_tag();
    edges_ = ranks.edges_for(plan, 0, operand_order::of_ranks).get();
    input_ = input;
    result_ = result;
    op_ = op;
    kind_ = kind;
    layout_ = type_layout{result.type};
    pieces_ = cut(result, plan.segment_bytes);
    make_scratch();
    slots_.assign(2 * edges_->operands.size() + 2, MPI_REQUEST_NULL);
    segment_ = 0;
    stage_ = stage::begin;
}

TOPOMP_INLINE bool scan_operation::advance() {
    while (segment_ < pieces_.number) {
        if (!are_free(slots_, 0)) return false;
        switch (stage_) {
        case stage::begin:
            receive_totals();
            break;
        case stage::gathering:
            pass_up();
            break;
        case stage::telling:
            pass_down();
            break;
        case stage::ending:
            ++segment_;
            stage_ = stage::begin;
            break;
        }
    }
    return true;
}

TOPOMP_INLINE void scan_operation::make_scratch() {
    const std::size_t length = std::min(pieces_.per_segment, pieces_.count);
    scratch_bytes_ = (layout_.span(length) + 63) / 64 * 64;
    const std::size_t needed = scratch_bytes_ * (children() + 3) + 64;
    if (scratch_.size() < needed) scratch_.resize(needed);
}

TOPOMP_INLINE void* scan_operation::scratch_buffer(std::size_t number) {
    const auto raw = reinterpret_cast<std::uintptr_t>(scratch_.data());
    return reinterpret_cast<std::byte*>((raw + 63) / 64 * 64) + number * scratch_bytes_ - layout_.true_lower;
}

TOPOMP_INLINE void scan_operation::combine(const void* left, void* right) {
    mpi::check(MPI_Reduce_local(left, right, length(), result_.type, op_), "MPI_Reduce_local", "operands");
}

TOPOMP_INLINE void scan_operation::receive_totals() {
    for (std::size_t k = 0; k < children(); ++k)
        mpi::check(MPI_Irecv(up_to(k), length(), result_.type, edges_->operands[k].rank, up_tag_,
                             private_comm_, &slots_[k]),
                   "MPI_Irecv", "total of a subtree");
    copy(mine(), own()); // the input may be the result, which is written before the end
    stage_ = stage::gathering;
}

TOPOMP_INLINE void scan_operation::pass_up() {
    for (std::size_t k = 0; k < children(); ++k)
        combine(k == 0 ? own() : up_to(k - 1), up_to(k));
    if (edges_->parent >= 0) {
        const void* const total = children() == 0 ? own() : up_to(children() - 1);
        mpi::check(mpi::isend(total, length(), result_.type, edges_->parent, up_tag_, private_comm_,
                              &slots_[children()]),
                   "MPI_Isend", "total of a subtree");
        mpi::check(MPI_Irecv(before(), length(), result_.type, edges_->parent, down_tag_, private_comm_,
                             &slots_[children() + 1]),
                   "MPI_Irecv", "everything before");
    }
    stage_ = stage::telling;
}

TOPOMP_INLINE void scan_operation::pass_down() {
    const bool is_first = edges_->parent < 0;
    for (std::size_t k = children(); k-- > 0;) {
        // The sum up to child k-1, preceded by the sum before this rank, is sent to child k.
        void* const front = k == 0 ? passed() : up_to(k - 1);
        if (k == 0) copy(own(), passed());
        if (!is_first) combine(before(), front);
        mpi::check(mpi::isend(front, length(), result_.type, edges_->operands[k].rank, down_tag_,
                              private_comm_, &slots_[children() + 2 + k]),
                   "MPI_Isend", "everything before");
    }
    if (kind_ == scan_kind::exclusive) {
        if (!is_first) copy(before(), target());
    } else {
        if (!is_first) combine(before(), own());
        copy(own(), target());
    }
    stage_ = stage::ending;
}

} // namespace topo::detail
