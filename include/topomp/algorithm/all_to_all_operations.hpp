// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of its own from everybody to everybody.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace topo::detail {

/// Step k exchanges with the ranks k places on and back in a row in which neighbours are near, so that at any
/// time everybody sends one block and receives one. A few steps are under way at a time.
class all_to_all_pairwise final : public operation {
public:
    void start(team& ranks, const exchange_order& order, const blocks& source, const blocks& result) {
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &order;
        source_ = source;
        result_ = result;
        slots_.clear();
        step_ = 0; // the own block first
    }

private:
    /// So many steps are under way at a time: the network stays busy, and no receiver is flooded.
    static constexpr int window = 8;

    bool advance() override {
        while (are_free(slots_, 0)) {
            slots_.clear();
            if (step_ == order_->size()) return true;
            for (const int end = std::min(step_ + window, order_->size()); step_ < end; ++step_)
                exchange(step_);
        }
        return false;
    }

    void exchange(int step) {
        const message out = source_.block_of(order_->at(step)), in = result_.block_of(order_->at(-step));
        if (step == 0) return copy_block(out, in, own_);
        if (in.count > 0) {
            if (is_short(in))
                receive_short(in, order_->at(-step), tag_, wire_, slots_);
            else
                throw_too_long();
        }
        if (out.count > 0) {
            if (is_short(out))
                send_short(out, order_->at(step), tag_, wire_, slots_);
            else
                throw_too_long();
        }
    }

    [[noreturn]] static void throw_too_long() {
        throw argument_error("topo::all_to_all", "block",
                             "it is longer than " + std::to_string(longest_message) + " bytes or elements");
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks source_, result_;
    cell own_; ///< the own block on its way, if it must be packed
    int step_ = 0;
};

} // namespace topo::detail
