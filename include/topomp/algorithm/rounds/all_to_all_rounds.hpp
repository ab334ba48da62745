// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks from each rank to each rank in rounds that follow the levels.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// A rank's position in hierarchy order has a digit for each round. In a round each rank exchanges with the
/// ranks that differ from it in that digit alone, and sends each of them everything for ranks with their
/// digit. So a block first reaches the right position inside the smallest blocks of the order, and the right
/// block last; between nodes it is in one message with all data from one node to one rank of another.
///
/// ```
///   6 ranks, rounds of 2 and 3     0 1 | 2 3 | 4 5
///   round 1: 0 gives 1 what goes to 1, 3 and 5        round 2: 0 gives 2 and 4 what comes from 0 and 1
/// ```
///
/// Blocks are ordered by a number whose digits are those of their sources in finished rounds, and those of
/// their destinations in the others. So the blocks sent and received in a round have the same places.
class all_to_all_rounds final : public operation {
public:
    /// Whether each rank is a group of its own, which this algorithm requires. The same on all ranks.
    static bool fits(const folded_order& rank_order) { return rank_order.groups() == rank_order.size(); }

    /// @param source blocks of the same length @param result likewise @pre `fits`
    void start(context& ranks, const folded_order& rank_order, const blocks& source, const blocks& result);

private:
    TOPOMP_INLINE bool advance() override;

    void exchange();

    /// To and from each rank of a round.
    std::size_t bytes_each() const;

    /// Calls `f(digit, rank, where its bytes begin)` for the calling rank's partners in this round.
    template <class F>
    void for_others(F f) const {
        std::size_t at = 0;
        for_round(*rank_order_, order_->mine, round_, [&](int other) {
            f(rank_order_->digit(other, round_), rank_at(other), at);
            at += bytes_each();
        });
    }

    /// Calls `f(where they are, bytes before, bytes)` for the blocks whose number has this digit in this
    /// round.
    template <class F>
    void copy_blocks(int digit, F f) const {
        if (block_bytes_ == 0) return;
        const std::size_t run = static_cast<std::size_t>(weight_) * block_bytes_;
        std::size_t done = 0;
        for (int first = digit * weight_; first < order_->size();
             first += weight_ * rank_order_->radix(round_)) {
            f(block(first), done, run);
            done += run;
        }
    }

    void finish();

    int rank_at(int position) const { return order_->ranks[static_cast<std::size_t>(position)]; }
    std::byte* block(int number) const;

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    const folded_order* rank_order_ = nullptr;
    blocks result_;
    std::size_t block_bytes_ = 0;
    scratch_buffer all_;            ///< blocks as bytes, by their numbers
    scratch_buffer going_, coming_; ///< those of one round
    int round_ = 0;
    int weight_ = 1; ///< of the round's digit in a number
    bool is_finished_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_to_all_rounds.ipp>
#endif
