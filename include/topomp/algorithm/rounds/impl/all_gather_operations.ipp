// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void all_gather_tree::start(context& ranks, const tree_plan& plan, const message& mine,
                                          const blocks& result) {
    slots_.clear();
    const subtree& below = *ranks.subtree_for(plan, 0);
    const tree_edges& edges = *ranks.edges_for(plan, 0, operand_order::any);
    ranks_ = &ranks;
    edges_ = &edges;
    is_up_ = false;
    result_ = result;
    layout_ = type_layout{result.type};
    sizes_.set_each(below.ranks, [&](int rank) { return result.count_of(rank) * layout_.size; });
    bytes_ = 0;
    for (int rank = 0; rank < ranks.private_comm().size(); ++rank)
        bytes_ += result.count_of(rank) * layout_.size;
    is_direct_ = layout_.is_dense && is_in_rank_order();
    is_unpacked_ = is_direct_ || edges.parent < 0;
    if (!is_direct_) scratch_.reserve(bytes_);
    segment_bytes_ = plan.segment_bytes;
    const int up_tag = ranks.next_tag();
    down_tag_ = ranks.next_tag();
    up_.start(ranks.private_comm(), up_tag, edges, below, sizes_, mine, result, slots_);
}

TOPOMP_INLINE bool all_gather_tree::advance() {
    if (!is_up_) {
        if (!up_.advance()) return false;
        is_up_ = true;
        slots_.clear();
        go_down();
    }
    if (!down_.advance()) return false;
    if (!is_unpacked_)
        for_each_block([](const message& block, const type_layout& layout, std::byte* bytes) {
            unpack(bytes, block, layout);
        });
    is_unpacked_ = true;
    return true;
}

TOPOMP_INLINE bool all_gather_tree::is_in_rank_order() const {
    std::size_t next = 0;
    for (int rank = 0; rank < ranks_->private_comm().size(); ++rank) {
        if (result_.count_of(rank) == 0) continue;
        if (result_.position_of(rank) != next) return false;
        next += result_.count_of(rank);
    }
    return true;
}

TOPOMP_INLINE void all_gather_tree::go_down() {
    if (!is_direct_ && edges_->parent < 0)
        for_each_block([](const message& block, const type_layout& layout, std::byte* bytes) {
            pack(block, layout, bytes);
        });
    const message whole{is_direct_ ? result_.data : scratch_.data(), bytes_, MPI_PACKED};
    down_.start(ranks_->private_comm(), down_tag_, *edges_, whole, segments{bytes_, 1, segment_bytes_},
                slots_);
}

TOPOMP_INLINE void all_gather_in_steps::start(context& ranks, const exchange_order& order,
                                              const blocks& result) {
    slots_.clear();
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    order_ = &order;
    result_ = result;
    layout_ = type_layout{result.type};
    step_ = 0;
}

TOPOMP_INLINE bool all_gather_ring::advance() {
    while (are_free(slots_, 0)) {
        in_.finish();
        slots_.clear();
        if (step_ + 1 >= order_->size()) return true;
        in_.start(result_.block_of(order_->at(-step_ - 1), layout_), layout_, order_->at(-1), tag_,
                  private_comm_, slots_);
        out_.start(result_.block_of(order_->at(-step_), layout_), layout_, order_->at(1), tag_, private_comm_,
                   slots_);
        ++step_;
    }
    return false;
}

TOPOMP_INLINE int all_gather_neighbours::pair_of_step(int step) const {
    const int pairs = order_->size() / 2;
    // The first rank of a pair has the pairs before it from the left, and those behind it from the other.
    const int farther = step % 2 == 0 ? step / 2 : -(step + 1) / 2;
    const int distance = order_->mine % 2 == 0 ? farther : -farther;
    return (order_->mine / 2 + distance + pairs) % pairs;
}

TOPOMP_INLINE bool all_gather_neighbours::advance() {
    while (are_free(slots_, 0)) {
        for (incoming_block& each : in_)
            each.finish();
        slots_.clear();
        if (2 * step_ == order_->size()) return true;
        const int ahead = order_->mine % 2 == 0 ? 1 : -1; // the other rank of the pair
        const int partner = order_->at(step_ % 2 == 0 ? ahead : -ahead);
        const auto receive = [&](const message& block, std::size_t which) {
            in_[which].start(block, layout_, partner, tag_, private_comm_, slots_);
        };
        const auto send = [&](const message& block, std::size_t which) {
            out_[which].start(block, layout_, partner, tag_, private_comm_, slots_);
        };
        if (step_ == 0) {
            receive(result_.block_of(partner, layout_), 0);
            send(result_.block_of(order_->at(0), layout_), 0);
        } else {
            for_messages(pair_of_step(step_), receive);
            for_messages(pair_of_step(step_ - 1), send);
        }
        ++step_;
    }
    return false;
}

TOPOMP_INLINE void all_gather_bruck::start(context& ranks, const exchange_order& order,
                                           const blocks& result) {
    slots_.assign(2, MPI_REQUEST_NULL);
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    order_ = &order;
    result_ = result;
    layout_ = type_layout{result.type};
    // Bytes of the blocks in the order in which they arrive: the own one, the next rank's in this order, ...
    begin_.assign(1, 0);
    for (int i = 0; i < order.size(); ++i)
        begin_.push_back(begin_.back() + result.count_of(order.at(i)) * layout_.size);
    scratch_.reserve(begin_.back());
    pack(result.block_of(order.at(0), layout_), layout_, scratch_.data());
    have_ = 1;
    coming_ = 0;
}

TOPOMP_INLINE bool all_gather_bruck::advance() {
    while (are_free(slots_, 0)) {
        have_ += coming_;
        coming_ = 0;
        if (have_ == order_->size()) {
            for (int i = 1; i < order_->size(); ++i)
                unpack(scratch_.data() + begin_[static_cast<std::size_t>(i)],
                       result_.block_of(order_->at(i), layout_), layout_);
            ++have_; // done: nothing is unpacked again
        }
        if (have_ > order_->size()) return true;
        exchange();
    }
    return false;
}

TOPOMP_INLINE void all_gather_bruck::exchange() {
    slots_.clear();
    coming_ = std::min(have_, order_->size() - have_);
    const auto in = static_cast<std::size_t>(have_), in_end = static_cast<std::size_t>(have_ + coming_);
    receive_packed(scratch_.data() + begin_[in], begin_[in_end] - begin_[in], order_->at(have_), tag_,
                   private_comm_, slots_);
    send_packed(scratch_.data(), begin_[static_cast<std::size_t>(coming_)], order_->at(-have_), tag_,
                private_comm_, slots_);
}

} // namespace topo::detail
