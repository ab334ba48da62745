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

/// Plays a schedule, one round after the other, on data that is cut into parts.
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
        begin_of_round_ = end_of_round_ = 0;
        data_ = work.data;
        reserve_spares();
    }

    /// @return whether the caller's part is done
    bool advance() {
        while (are_free(*slots_, 0)) {
            slots_->clear();
            combine_round();
            begin_of_round_ = end_of_round_;
            if (begin_of_round_ == schedule_->size()) return true;
            start_round();
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

    /// The steps of the round that is under way.
    std::span<const exchange_step> round() const {
        return std::span{*schedule_}.subspan(begin_of_round_, end_of_round_ - begin_of_round_);
    }
    void find_round() {
        if (end_of_round_ < schedule_->size()) ++end_of_round_;
        while (end_of_round_ < schedule_->size() && (*schedule_)[end_of_round_].joins_last)
            ++end_of_round_;
    }

    /// Room for what arrives in a round and is combined: behind each other, or, where everything arrives at
    /// once, one of the data's size for each, which then can become the data.
    void reserve_spares() {
        std::size_t most_elements = 0, most_spares = 1;
        for (find_round(); !round().empty(); begin_of_round_ = end_of_round_, find_round()) {
            std::size_t elements = 0, spares = 0;
            for (const exchange_step& each : round()) {
                if (each.how == arrival::adds) elements += length(each.in);
                if (each.how != arrival::before && each.how != arrival::behind) continue;
                elements = std::max(elements, length(each.in));
                ++spares;
            }
            most_elements = std::max(most_elements, elements);
            most_spares = std::max(most_spares, spares);
        }
        begin_of_round_ = end_of_round_ = 0;
        const std::size_t each = (layout_.span(most_elements) + 63) / 64 * 64; // keeps them aligned
        spare_cell_.reserve(most_spares * each);
        spares_.clear();
        for (std::size_t i = 0; i < most_spares; ++i)
            spares_.push_back(spare_cell_.data() + i * each - layout_.true_lower);
    }

    /// Where what a round brings is put.
    class rooms {
    public:
        explicit rooms(const exchange_steps& engine) : engine_(engine) {}
        void* next(const exchange_step& step) {
            if (step.how == arrival::replaces)
                return engine_.layout_.element(engine_.data_, engine_.first(step.in));
            if (step.how != arrival::adds) return engine_.spares_[spare_++];
            return engine_.layout_.element(engine_.spares_.front(),
                                           std::exchange(used_, used_ + engine_.length(step.in)));
        }

    private:
        const exchange_steps& engine_;
        std::size_t spare_ = 0, used_ = 0;
    };

    void start_round() {
        find_round();
        rooms room{*this};
        for (const exchange_step& now : round()) {
            if (now.from == exchange_step::nobody) continue;
            void* const to = room.next(now);
            in_pieces(now.in, [&](std::size_t done, int count, MPI_Request* request) {
                mpi::check(MPI_Irecv(layout_.element(to, done), count, type_, rank_of(now.from), tag_, wire_,
                                     request),
                           "MPI_Irecv", "step of an exchange");
            });
        }
        for (const exchange_step& now : round()) {
            if (now.to == exchange_step::nobody) continue;
            in_pieces(now.out, [&](std::size_t done, int count, MPI_Request* request) {
                mpi::check(MPI_Isend(layout_.element(data_, first(now.out) + done), count, type_,
                                     rank_of(now.to), tag_, wire_, request),
                           "MPI_Isend", "step of an exchange");
            });
        }
    }

    int rank_of(int position) const { return row_[static_cast<std::size_t>(position)]; }

    /// Calls `f(elements before, count, where the request goes)`.
    template <class F>
    void in_pieces(part_range parts, F f) {
        const segments pieces{length(parts), layout_.size, 0};
        for (std::size_t s = 0; s < pieces.number; ++s)
            f(pieces.first(s), pieces.length(s), &slots_->emplace_back(MPI_REQUEST_NULL));
    }

    void combine_round() {
        rooms room{*this};
        before_.clear();
        behind_.clear();
        for (const exchange_step& last : round()) {
            if (last.from == exchange_step::nobody) continue;
            void* const come = room.next(last);
            if (last.how == arrival::adds)
                combine(come, layout_.element(data_, first(last.in)), length(last.in));
            if (last.how == arrival::before) before_.push_back(come);
            if (last.how == arrival::behind) behind_.push_back(come);
        }
        if (before_.empty() && behind_.empty()) return;
        // From left to right, on all ranks alike; the result is where the last operand was.
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

    /// @param right the result, too
    void combine(void* left, void* right, std::size_t elements) {
        const segments pieces{elements, layout_.size, 0};
        for (std::size_t s = 0; s < pieces.number; ++s)
            mpi::check(MPI_Reduce_local(layout_.element(left, pieces.first(s)),
                                        layout_.element(right, pieces.first(s)), pieces.length(s), type_,
                                        op_),
                       "MPI_Reduce_local", "operands");
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
    std::size_t begin_of_round_ = 0, end_of_round_ = 0; ///< steps under way
    cell spare_cell_, temporary_;
    void* data_ = nullptr;               ///< where everything is now
    std::vector<void*> spares_;          ///< room for what comes next
    std::vector<void*> before_, behind_; ///< operands of a round
};

} // namespace topo::detail
