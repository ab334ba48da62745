// SPDX-License-Identifier: BSL-1.0
/// @file
/// The engine that executes a schedule of exchanges.
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Executes a schedule, one round after the other, on data that is divided into blocks.
class exchange_steps {
public:
    /// @param row the ranks at the positions that the schedule names
    /// @param work the data in the caller's memory, in which blocks arrive and are combined
    /// @param begin where each block begins, in elements, and the end
    /// @param op none if the schedule only moves blocks
    /// @param slots only this engine uses them
    /// @pre all but `slots` live until the end
    void start(MPI_Comm private_comm, int tag, std::span<const int> rank_order, const message& work,
               std::span<const std::size_t> begin, MPI_Op op, const exchange_schedule& schedule,
               std::vector<MPI_Request>& slots);

    /// The same once more. @pre the last one is complete
    void start_again();

    /// @return whether the caller's work is complete
    bool advance();

    /// Where the result is at the end: the caller's memory, or memory of this engine, which is unchanged
    /// until the next start.
    void* data() const { return data_; }

private:
    std::size_t first(part_range parts) const { return begin_[static_cast<std::size_t>(parts.first)]; }
    std::size_t length(part_range parts) const;

    /// The steps of the round that is under way.
    std::span<const exchange_step> round() const;
    void find_round();

    /// Scratch memory for the operands of a round: one behind the other, or, if whole messages arrive, one
    /// buffer of the data's size for each, which can then become the data.
    void reserve_spares();

    /// Where the operands of a round arrive.
    class rooms {
    public:
        explicit rooms(const exchange_steps& engine) : engine_(engine) {}
        void* next(const exchange_step& step);

    private:
        const exchange_steps& engine_;
        std::size_t spare_ = 0, used_ = 0;
    };

    void start_round();

    int rank_of(int position) const { return rank_order_[static_cast<std::size_t>(position)]; }

    /// Calls `f(elements before, count, where the request goes)`.
    template <class F>
    void in_pieces(part_range parts, F f) {
        const segments pieces{length(parts), layout_.size, 0};
        for (std::size_t s = 0; s < pieces.number; ++s)
            f(pieces.first(s), pieces.length(s), &slots_->emplace_back(MPI_REQUEST_NULL));
    }

    void combine_round();

    /// @param right the result, too
    void combine(void* left, void* right, std::size_t elements);

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    std::span<const int> rank_order_;
    MPI_Datatype type_ = MPI_BYTE;
    type_layout layout_{MPI_BYTE};
    std::span<const std::size_t> begin_;
    MPI_Op op_ = MPI_OP_NULL;
    const exchange_schedule* schedule_ = nullptr;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t begin_of_round_ = 0, end_of_round_ = 0; ///< steps under way
    scratch_buffer spare_scratch_, temporary_;
    void* work_ = nullptr;               ///< where the caller has the data
    void* data_ = nullptr;               ///< where the data is now
    std::vector<void*> spares_;          ///< spare buffer
    std::vector<void*> before_, behind_; ///< operands of a round
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/exchange_steps.ipp>
#endif
