// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short blocks from each rank to each rank in few messages.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Bruck's algorithm: a block for the rank d positions ahead moves by the powers of two in d, with all other
/// blocks that move by the same power. log2 p steps, in each of which half of all blocks move.
///
/// ```
///   5 ranks: step 1 moves blocks of distance 1 or 3 by 1, step 2 those of distance 2 or 3 by 2,
///            step 4 those of distance 4 by 4
/// ```
///
/// @see J. Bruck et al.: Efficient Algorithms for All-to-All Communications in Multiport Message-Passing
/// Systems (1997), section 3
class all_to_all_bruck final : public operation {
public:
    /// @param source blocks of the same length; @param result likewise
    void start(context& ranks, const exchange_order& order, const blocks& source, const blocks& result);

private:
    TOPOMP_INLINE bool advance() override;

    void exchange();

    std::byte* block(int distance) const;

    /// Calls `f(block)` for the blocks that move in this step.
    template <class F>
    void for_moving(F f) const {
        if (block_bytes_ == 0 || step_ == 0) return;
        for (int distance = step_; distance < order_->size(); ++distance)
            if ((distance & step_) != 0) f(block(distance));
    }

    void take_in();

    /// A block that has moved d positions comes from the rank d positions behind.
    void finish();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    std::size_t block_bytes_ = 0;
    scratch_buffer all_;            ///< blocks as bytes, by the distance that they move
    scratch_buffer going_, coming_; ///< those of one step
    int step_ = 0;                  ///< the distance that blocks move now
    bool is_finished_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_to_all_bruck.ipp>
#endif
