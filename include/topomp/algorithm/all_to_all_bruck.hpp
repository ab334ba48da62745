// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short blocks from everybody to everybody in few messages.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstring>

namespace topo::detail {

/// Bruck's: a block that must go d places on in the row travels the powers of two that d consists of, with
/// all others that travel the same one. log2 p steps, in each of which half of all blocks move.
///
/// ```
///   5 ranks: step 1 moves what goes 1 or 3 places on by 1, step 2 what goes 2 or 3 on by 2,
///            step 4 what goes 4 on by 4
/// ```
///
/// @see J. Bruck et al.: Efficient Algorithms for All-to-All Communications in Multiport Message-Passing
/// Systems (1997), section 3
class all_to_all_bruck final : public operation {
public:
    /// @param source blocks of the same length; @param result likewise
    void start(team& ranks, const exchange_order& order, const blocks& source, const blocks& result) {
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &order;
        result_ = result;
        slots_.clear();
        const type_layout layout{source.type};
        block_bytes_ = source.count * layout.size;
        const auto size = static_cast<std::size_t>(order.size());
        all_.reserve(block_bytes_ * size);
        // In each step at most half of the blocks, rounded up, have the bit.
        going_.reserve(block_bytes_ * (size / 2 + 1));
        coming_.reserve(block_bytes_ * (size / 2 + 1));
        for (int distance = 0; distance < order.size(); ++distance)
            pack(source.block_of(order.at(distance), layout), layout, block(distance));
        step_ = 0;
        is_finished_ = false;
    }

private:
    bool advance() override {
        while (!is_finished_ && are_free(slots_, 0)) {
            slots_.clear();
            take_in();
            step_ = step_ == 0 ? 1 : 2 * step_;
            if (step_ >= order_->size())
                finish();
            else
                exchange();
        }
        return is_finished_;
    }

    void exchange() {
        std::size_t bytes = 0;
        for_moving([&](std::byte* each) {
            std::memcpy(going_.data() + bytes, each, block_bytes_);
            bytes += block_bytes_;
        });
        receive_packed(coming_.data(), bytes, order_->at(-step_), tag_, wire_, slots_);
        send_packed(going_.data(), bytes, order_->at(step_), tag_, wire_, slots_);
    }

    std::byte* block(int distance) const {
        return all_.data() + static_cast<std::size_t>(distance) * block_bytes_;
    }

    /// Calls `f(block)` for the blocks that move in this step.
    template <class F>
    void for_moving(F f) const {
        if (block_bytes_ == 0 || step_ == 0) return;
        for (int distance = step_; distance < order_->size(); ++distance)
            if ((distance & step_) != 0) f(block(distance));
    }

    void take_in() {
        std::size_t bytes = 0;
        for_moving([&](std::byte* each) {
            std::memcpy(each, coming_.data() + bytes, block_bytes_);
            bytes += block_bytes_;
        });
    }

    /// What has travelled d places comes from d places back.
    void finish() {
        is_finished_ = true;
        const type_layout layout{result_.type};
        for (int distance = 0; distance < order_->size(); ++distance)
            unpack(block(distance), result_.block_of(order_->at(-distance), layout), layout);
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    std::size_t block_bytes_ = 0;
    cell all_;            ///< blocks as bytes, by the places that they travel
    cell going_, coming_; ///< those of one step
    int step_ = 0;        ///< places that blocks move now
    bool is_finished_ = false;
};

} // namespace topo::detail
