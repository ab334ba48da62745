// SPDX-License-Identifier: BSL-1.0
/// @file
/// The engine that plays a schedule of exchanges.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_schedule.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/segments.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// Plays a schedule, one step after the other, on data that is cut into parts.
class exchange_steps {
public:
    /// @param row the ranks at the positions that the schedule names
    /// @param work the data in the caller's memory, in which parts arrive and are combined
    /// @param begin where each part begins, in elements, and the end
    /// @param op where the schedule only moves parts, none
    /// @param slots only this engine uses them
    /// @pre all but `slots` live until the end
    void start(MPI_Comm wire, int tag, std::span<const int> row, const message& work,
               std::span<const std::size_t> begin, MPI_Op op, const exchange_schedule& schedule,
               std::vector<MPI_Request>& slots) {
        wire_ = wire;
        tag_ = tag;
        row_ = row;
        type_ = work.type;
        layout_ = type_layout{work.type};
        begin_ = begin;
        op_ = op;
        schedule_ = &schedule;
        slots_ = &slots;
        slots.clear();
        step_ = 0;
        is_combined_ = true;
        std::size_t longest = 0;
        for (const exchange_step& each : schedule)
            if (each.how != arrival::replaces) longest = std::max(longest, length(each.in));
        spare_cell_.reserve(layout_.span(longest));
        data_ = work.data;
        spare_ = spare_cell_.data() - layout_.true_lower;
    }

    /// @return whether the caller's part is done
    bool advance() {
        while (are_free(*slots_, 0)) {
            slots_->clear();
            if (!is_combined_) combine((*schedule_)[step_ - 1]);
            is_combined_ = true;
            if (step_ == schedule_->size()) return true;
            begin_step((*schedule_)[step_++]);
        }
        return false;
    }

    /// Where everything is in the end: the caller's memory, or memory of this engine, which stays as it is
    /// until the next start.
    void* data() const { return data_; }

private:
    std::size_t first(part_range parts) const { return begin_[static_cast<std::size_t>(parts.first)]; }
    std::size_t length(part_range parts) const {
        return begin_[static_cast<std::size_t>(parts.end)] - first(parts);
    }

    void begin_step(const exchange_step& now) {
        const bool is_kept = now.how == arrival::replaces;
        is_combined_ = is_kept;
        if (now.from != exchange_step::nobody)
            in_pieces(now.in, [&](std::size_t done, int count, MPI_Request* request) {
                void* const to =
                    is_kept ? layout_.element(data_, first(now.in) + done) : layout_.element(spare_, done);
                mpi::check(MPI_Irecv(to, count, type_, rank_of(now.from), tag_, wire_, request), "MPI_Irecv",
                           "step of an exchange");
            });
        if (now.to != exchange_step::nobody)
            in_pieces(now.out, [&](std::size_t done, int count, MPI_Request* request) {
                mpi::check(MPI_Isend(layout_.element(data_, first(now.out) + done), count, type_,
                                     rank_of(now.to), tag_, wire_, request),
                           "MPI_Isend", "step of an exchange");
            });
    }

    int rank_of(int position) const { return row_[static_cast<std::size_t>(position)]; }

    /// Calls `f(elements before, count, where the request goes)`.
    template <class F>
    void in_pieces(part_range parts, F f) {
        const segments pieces{length(parts), layout_.size, 0};
        for (std::size_t s = 0; s < pieces.number; ++s)
            f(pieces.first(s), pieces.length(s), &slots_->emplace_back(MPI_REQUEST_NULL));
    }

    void combine(const exchange_step& last) {
        const segments pieces{length(last.in), layout_.size, 0};
        for (std::size_t s = 0; s < pieces.number; ++s) {
            void* theirs = layout_.element(spare_, pieces.first(s));
            void* mine = layout_.element(data_, first(last.in) + pieces.first(s));
            if (last.how == arrival::behind) std::swap(theirs, mine);
            mpi::check(MPI_Reduce_local(theirs, mine, pieces.length(s), type_, op_), "MPI_Reduce_local",
                       "operands");
        }
        // The right operand is where the result is; then the left one's memory is spare.
        if (last.how == arrival::behind) std::swap(data_, spare_);
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    std::span<const int> row_;
    MPI_Datatype type_ = MPI_BYTE;
    type_layout layout_{MPI_BYTE};
    std::span<const std::size_t> begin_;
    MPI_Op op_ = MPI_OP_NULL;
    const exchange_schedule* schedule_ = nullptr;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t step_ = 0;
    bool is_combined_ = true;
    cell spare_cell_;       ///< room for what is combined
    void* data_ = nullptr;  ///< where everything is now
    void* spare_ = nullptr; ///< room for what comes next
};

} // namespace topo::detail
