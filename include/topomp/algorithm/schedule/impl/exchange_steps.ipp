// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/exchange_steps.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void exchange_steps::start(MPI_Comm private_comm, int tag, std::span<const int> rank_order,
                                         const message& work, std::span<const std::size_t> begin, MPI_Op op,
                                         const exchange_schedule& schedule, std::vector<MPI_Request>& slots) {
    private_comm_ = private_comm;
    tag_ = tag;
    rank_order_ = rank_order;
    type_ = work.type;
    layout_ = type_layout{work.type};
    begin_ = begin;
    op_ = op;
    schedule_ = &schedule;
    slots_ = &slots;
    slots.clear();
    begin_of_round_ = end_of_round_ = 0;
    work_ = data_ = work.data;
    reserve_spares();
}

TOPOMP_INLINE void exchange_steps::start_again() {
    slots_->clear();
    begin_of_round_ = end_of_round_ = 0;
    if (data_ == work_) return;
    std::ranges::replace(spares_, work_, data_); // for which it was exchanged
    data_ = work_;
}

TOPOMP_INLINE bool exchange_steps::advance() {
    while (are_free(*slots_, 0)) {
        slots_->clear();
        combine_round();
        begin_of_round_ = end_of_round_;
        if (begin_of_round_ == schedule_->size()) return true;
        start_round();
    }
    return false;
}

TOPOMP_INLINE std::size_t exchange_steps::length(part_range parts) const {
    return begin_[static_cast<std::size_t>(parts.end)] - first(parts);
}

TOPOMP_INLINE std::span<const exchange_step> exchange_steps::round() const {
    return std::span{*schedule_}.subspan(begin_of_round_, end_of_round_ - begin_of_round_);
}

TOPOMP_INLINE void exchange_steps::find_round() {
    if (end_of_round_ < schedule_->size()) ++end_of_round_;
    while (end_of_round_ < schedule_->size() && (*schedule_)[end_of_round_].joins_last)
        ++end_of_round_;
}

TOPOMP_INLINE void exchange_steps::reserve_spares() {
    std::size_t most_elements = 0, most_spares = 1;
    for (find_round(); !round().empty(); begin_of_round_ = end_of_round_, find_round()) {
        std::size_t elements = 0, spares = 0;
        for (const exchange_step& each : round()) {
            if (each.arrives_as == arrival::adds) elements += length(each.in);
            if (each.arrives_as != arrival::before && each.arrives_as != arrival::behind) continue;
            elements = std::max(elements, length(each.in));
            ++spares;
        }
        most_elements = std::max(most_elements, elements);
        most_spares = std::max(most_spares, spares);
    }
    begin_of_round_ = end_of_round_ = 0;
    const std::size_t each = (layout_.span(most_elements) + 63) / 64 * 64; // so that they stay aligned
    spare_scratch_.reserve(most_spares * each);
    spares_.clear();
    for (std::size_t i = 0; i < most_spares; ++i)
        spares_.push_back(spare_scratch_.data() + i * each - layout_.true_lower);
}

TOPOMP_INLINE void* exchange_steps::rooms::next(const exchange_step& step) {
    if (step.arrives_as == arrival::replaces)
        return engine_.layout_.element(engine_.data_, engine_.first(step.in));
    if (step.arrives_as != arrival::adds) return engine_.spares_[spare_++];
    return engine_.layout_.element(engine_.spares_.front(),
                                   std::exchange(used_, used_ + engine_.length(step.in)));
}

TOPOMP_INLINE void exchange_steps::start_round() {
    find_round();
    rooms room{*this};
    for (const exchange_step& now : round()) {
        if (now.from == exchange_step::no_rank) continue;
        void* const to = room.next(now);
        in_pieces(now.in, [&](std::size_t done, int count, MPI_Request* request) {
            mpi::check(MPI_Irecv(layout_.element(to, done), count, type_, rank_of(now.from), tag_,
                                 private_comm_, request),
                       "MPI_Irecv", "step of an exchange");
        });
    }
    for (const exchange_step& now : round()) {
        if (now.to == exchange_step::no_rank) continue;
        in_pieces(now.out, [&](std::size_t done, int count, MPI_Request* request) {
            mpi::check(mpi::isend(layout_.element(data_, first(now.out) + done), count, type_,
                                  rank_of(now.to), tag_, private_comm_, request),
                       "MPI_Isend", "step of an exchange");
        });
    }
}

TOPOMP_INLINE void exchange_steps::combine_round() {
    rooms room{*this};
    before_.clear();
    behind_.clear();
    for (const exchange_step& last : round()) {
        if (last.from == exchange_step::no_rank) continue;
        void* const come = room.next(last);
        if (last.arrives_as == arrival::adds)
            combine(come, layout_.element(data_, first(last.in)), length(last.in));
        if (last.arrives_as == arrival::before) before_.push_back(come);
        if (last.arrives_as == arrival::behind) behind_.push_back(come);
    }
    if (before_.empty() && behind_.empty()) return;
    // From left to right, identically on all ranks; the result replaces the last operand.
    const part_range parts = round().front().in;
    void* const own = layout_.element(data_, first(parts));
    before_.push_back(own);
    before_.insert(before_.end(), behind_.begin(), behind_.end());
    for (std::size_t i = 1; i < before_.size(); ++i)
        combine(before_[i - 1], before_[i], length(parts));
    void* const sum = before_.back();
    if (sum == own) return;
    if (length(parts) == begin_.back()) { // then it becomes the data, and the data become spare
        std::ranges::replace(spares_, sum, data_);
        data_ = sum;
    } else {
        copy_block({sum, length(parts), type_}, {own, length(parts), type_}, temporary_);
    }
}

TOPOMP_INLINE void exchange_steps::combine(void* left, void* right, std::size_t elements) {
    const segments pieces{elements, layout_.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s)
        mpi::check(MPI_Reduce_local(layout_.element(left, pieces.first(s)),
                                    layout_.element(right, pieces.first(s)), pieces.length(s), type_, op_),
                   "MPI_Reduce_local", "operands");
}

} // namespace topo::detail
