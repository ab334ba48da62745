// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of its own from everybody to everybody.
#pragma once

#include <topomp/algorithm/block_transfer.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace topo::detail {

/// Each step exchanges with the ranks some places on and back in a row in which neighbours are near, so that
/// at any time everybody sends one block and receives one. A few steps are under way at a time, to near and
/// to far ranks by turns, so that neither waits for the others' links.
class all_to_all_pairwise final : public operation {
public:
    void start(team& ranks, const exchange_order& order, const blocks& source, const blocks& result) {
        start_from(0, ranks, order, ranks.next_tag(), source, result);
    }

    /// Only blocks of so many bytes at least: both ends of each know whether it is one.
    void start_from(std::size_t shortest, team& ranks, const exchange_order& order, int tag,
                    const blocks& source, const blocks& result) {
        wire_ = ranks.wire();
        tag_ = tag;
        order_ = &order;
        source_ = source;
        result_ = result;
        source_layout_ = type_layout{source.type};
        result_layout_ = type_layout{result.type};
        shortest_ = shortest;
        slots_.clear();
        step_ = under_way_ = 0; // the own block first
        stride_ = order.size() * 5 / 13 + 1;
        while (std::gcd(stride_, order.size()) > 1)
            ++stride_;
    }

private:
    /// So many steps are under way at a time: the network stays busy, and no receiver is flooded.
    static constexpr int window = 8;

    bool advance() override {
        while (are_free(slots_, 0)) {
            slots_.clear();
            while (under_way_ > 0)
                in_[static_cast<std::size_t>(--under_way_)].finish();
            if (step_ == order_->size()) return true;
            for (const int end = std::min(step_ + window, order_->size()); step_ < end; ++step_)
                exchange(step_);
        }
        return false;
    }

    void exchange(int step) {
        const auto places = static_cast<int>(static_cast<long long>(step) * stride_ % order_->size());
        const int to = order_->at(places), from = order_->at(-places);
        const message out = source_.block_of(to, source_layout_), in = result_.block_of(from, result_layout_);
        const auto place = static_cast<std::size_t>(under_way_++);
        const bool is_sent = out.count * source_layout_.size >= shortest_,
                   is_received = in.count * result_layout_.size >= shortest_;
        if (step == 0) {
            if (is_sent) copy_block(out, in, own_);
            return;
        }
        if (is_received) in_[place].start(in, result_layout_, from, tag_, wire_, slots_);
        if (is_sent) out_[place].start(out, source_layout_, to, tag_, wire_, slots_);
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks source_, result_;
    type_layout source_layout_{MPI_BYTE}, result_layout_{MPI_BYTE};
    std::size_t shortest_ = 0;
    std::array<incoming_block, window> in_;
    std::array<outgoing_block, window> out_;
    cell own_; ///< the own block on its way, if it must be packed
    int step_ = 0;
    int stride_ = 1;    ///< from the places of one step to those of the next, around the row
    int under_way_ = 0; ///< steps, the own block's among them
};

} // namespace topo::detail
