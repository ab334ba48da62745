// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void copy_elements(const void* from, void* to, int count, MPI_Datatype type) {
    scratch_buffer temporary; // only for types with gaps
    const auto length = static_cast<std::size_t>(count);
    copy_block({const_cast<void*>(from), length, type}, {to, length, type}, temporary);
}

TOPOMP_INLINE void tree_up::start(MPI_Comm private_comm, int tag, const tree_edges& edges, const void* input,
                                  message result, combination combiner, const segments& cut,
                                  std::vector<MPI_Request>& slots) {
    private_comm_ = private_comm;
    tag_ = tag;
    edges_ = &edges;
    input_ = input;
    result_ = result;
    layout_ = type_layout{result.type};
    combiner_ = combiner;
    cut_ = cut;
    slots_ = &slots;
    first_slot_ = slots.size();
    slots.resize(first_slot_ + segment_window * (1 + edges.operands.size()), MPI_REQUEST_NULL);
    posted_ = combined_ = sent_ = next_operand_ = 0;
    make_scratch();
    current_ = nullptr;
}

TOPOMP_INLINE bool tree_up::advance() {
    while (true) {
        while (sent_ < combined_ && !is_root() && slot(sent_ % segment_window) == MPI_REQUEST_NULL)
            ++sent_;
        if (is_root()) sent_ = combined_;
        post_receives();
        if (!combine_next()) break;
    }
    return sent_ == cut_.number;
}

TOPOMP_INLINE MPI_Request& tree_up::operand_slot(std::size_t segment, std::size_t operand) {
    return slot(segment_window + (segment % segment_window) * edges_->operands.size() + operand);
}

TOPOMP_INLINE void tree_up::make_scratch() {
    if (edges_->operands.empty() || combiner_.op == MPI_OP_NULL) return;
    // One scratch buffer for each operand and one for the own data, at each position of the window; reused by
    // later calls.
    const std::size_t length = std::min(cut_.per_segment, cut_.count);
    constexpr std::size_t alignment = 64;
    scratch_bytes_ = (layout_.span(length) + alignment - 1) / alignment * alignment;
    const std::size_t window = std::min(segment_window, cut_.number);
    const std::size_t needed = scratch_bytes_ * window * (1 + edges_->operands.size()) + alignment;
    if (scratch_.size() < needed) scratch_.resize(needed);
}

TOPOMP_INLINE void* tree_up::scratch_buffer(std::size_t segment, std::size_t operand) {
    const std::size_t number = (segment % segment_window) * (1 + edges_->operands.size()) + operand;
    const auto raw = reinterpret_cast<std::uintptr_t>(scratch_.data());
    return reinterpret_cast<std::byte*>((raw + 63) / 64 * 64) + number * scratch_bytes_ - layout_.true_lower;
}

TOPOMP_INLINE void* tree_up::landing(std::size_t segment, std::size_t operand) {
    if (combiner_.op == MPI_OP_NULL) return nullptr;
    if (is_root() && !is_in_place() && operand + 1 == edges_->operands.size())
        return layout_.element(result_.data, cut_.first(segment));
    return scratch_buffer(segment, operand);
}

TOPOMP_INLINE void tree_up::post_receives() {
    while (posted_ < cut_.number && posted_ < sent_ + segment_window) {
        for (std::size_t k = 0; k < edges_->operands.size(); ++k)
            mpi::check(MPI_Irecv(landing(posted_, k), cut_.length(posted_), result_.type,
                                 edges_->operands[k].rank, tag_, private_comm_, &operand_slot(posted_, k)),
                       "MPI_Irecv", "operands from a child");
        ++posted_;
    }
}

TOPOMP_INLINE bool tree_up::combine_next() {
    if (combined_ == posted_) return false;
    if (next_operand_ < edges_->operands.size()) {
        if (operand_slot(combined_, next_operand_) != MPI_REQUEST_NULL) return false;
        if (combiner_.op != MPI_OP_NULL)
            combine(edges_->operands[next_operand_], landing(combined_, next_operand_));
        ++next_operand_;
        return true;
    }
    finish_segment();
    return true;
}

TOPOMP_INLINE void tree_up::combine(const operand& from, void* theirs) {
    const int length = cut_.length(combined_);
    const void* const mine = layout_.element(input_, cut_.first(combined_));
    const bool stays_in_result = is_root() && is_in_place() && combiner_.is_commutative;
    if (stays_in_result) {
        reduce(theirs, layout_.element(result_.data, cut_.first(combined_)), length);
        return;
    }
    if (combiner_.is_commutative || !from.is_left) { // own op received, into received
        reduce(current_ != nullptr ? current_ : mine, theirs, length);
        current_ = theirs;
        return;
    }
    if (current_ == nullptr) { // received op own; the own operand must not be overwritten
        current_ = scratch_buffer(combined_, edges_->operands.size());
        copy_elements(mine, current_, length, result_.type);
    }
    reduce(theirs, current_, length);
}

TOPOMP_INLINE void tree_up::reduce(const void* left, void* right, int length) {
    mpi::check(MPI_Reduce_local(left, right, length, result_.type, combiner_.op), "MPI_Reduce_local",
               "operands");
}

TOPOMP_INLINE void tree_up::finish_segment() {
    const void* const mine = layout_.element(input_, cut_.first(combined_));
    const void* const value = current_ != nullptr ? current_ : mine;
    if (!is_root()) {
        mpi::check(mpi::isend(value, cut_.length(combined_), result_.type, edges_->parent, tag_,
                              private_comm_, &slot(combined_ % segment_window)),
                   "MPI_Isend", "operands to the parent");
    } else if (combiner_.op != MPI_OP_NULL) {
        copy_elements(value, layout_.element(result_.data, cut_.first(combined_)), cut_.length(combined_),
                      result_.type);
    }
    current_ = nullptr;
    next_operand_ = 0;
    ++combined_;
}

} // namespace topo::detail
