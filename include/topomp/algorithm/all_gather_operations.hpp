// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block to everybody: along a tree, around a ring, in doubling steps.
#pragma once

#include <topomp/algorithm/block_sizes.hpp>
#include <topomp/algorithm/block_transfer.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/gather_up.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_down.hpp>
#include <topomp/algorithm/tree_operations.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

/// Up a tree to rank 0 and down again, as bytes in the order of ranks. For short blocks: the least messages.
class all_gather_tree final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, const message& mine, const blocks& result) {
        slots_.clear();
        const subtree& below = ranks.subtree_for(plan, 0);
        const tree_edges& edges = ranks.edges_for(plan, 0, operand_order::any);
        ranks_ = &ranks;
        edges_ = &edges;
        is_up_ = false;
        result_ = result;
        layout_ = type_layout{result.type};
        sizes_.set_each(below.ranks, [&](int rank) { return result.count_of(rank) * layout_.size; });
        bytes_ = 0;
        for (int rank = 0; rank < ranks.wire().size(); ++rank)
            bytes_ += result.count_of(rank) * layout_.size;
        is_direct_ = layout_.is_dense && is_in_row();
        is_unpacked_ = is_direct_ || edges.parent < 0;
        if (!is_direct_) cell_.reserve(bytes_);
        segment_bytes_ = plan.segment_bytes;
        const int up_tag = ranks.next_tag();
        down_tag_ = ranks.next_tag();
        up_.start(ranks.wire(), up_tag, edges, below, sizes_, mine, result, slots_);
    }

private:
    bool advance() override {
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

    /// Whether the blocks lie one behind the other in the order of ranks.
    bool is_in_row() const {
        std::size_t next = 0;
        for (int rank = 0; rank < ranks_->wire().size(); ++rank) {
            if (result_.count_of(rank) == 0) continue;
            if (result_.position_of(rank) != next) return false;
            next += result_.count_of(rank);
        }
        return true;
    }

    void go_down() {
        if (!is_direct_ && edges_->parent < 0)
            for_each_block([](const message& block, const type_layout& layout, std::byte* bytes) {
                pack(block, layout, bytes);
            });
        const message whole{is_direct_ ? result_.data : cell_.data(), bytes_, MPI_PACKED};
        down_.start(ranks_->wire(), down_tag_, *edges_, whole, segments{bytes_, 1, segment_bytes_}, slots_);
    }

    /// Calls `f(block, its layout, its bytes in the cell)`.
    template <class F>
    void for_each_block(F f) {
        std::byte* bytes = cell_.data();
        for (int rank = 0; rank < ranks_->wire().size(); ++rank) {
            const message block = result_.block_of(rank, layout_);
            f(block, layout_, bytes);
            bytes += block.count * layout_.size;
        }
    }

    team* ranks_ = nullptr;
    const tree_edges* edges_ = nullptr;
    block_sizes sizes_;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    cell cell_; ///< all blocks one behind the other, if they do not lie so in the result
    std::size_t bytes_ = 0;
    std::size_t segment_bytes_ = 0;
    int down_tag_ = 0;
    bool is_up_ = false;
    bool is_direct_ = true;
    bool is_unpacked_ = true;
    gather_up up_;
    tree_down down_;
};

/// Around a ring of ranks in which neighbours are near: p - 1 steps, in each of which everybody passes on the
/// block that it got in the last. For long blocks: every link carries every block once.
class all_gather_ring final : public operation {
public:
    void start(team& ranks, const exchange_order& order, const blocks& result) {
        slots_.clear();
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &order;
        result_ = result;
        layout_ = type_layout{result.type};
        step_ = 0;
    }

private:
    bool advance() override {
        while (are_free(slots_, 0)) {
            in_.finish();
            slots_.clear();
            if (step_ + 1 >= order_->size()) return true;
            in_.start(result_.block_of(order_->at(-step_ - 1), layout_), layout_, order_->at(-1), tag_, wire_,
                      slots_);
            out_.start(result_.block_of(order_->at(-step_), layout_), layout_, order_->at(1), tag_, wire_,
                       slots_);
            ++step_;
        }
        return false;
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    incoming_block in_;
    outgoing_block out_;
    int step_ = 0;
};

/// Bruck's: the number of blocks that a rank has doubles in each step, so log2 p steps for any p.
class all_gather_bruck final : public operation {
public:
    void start(team& ranks, const exchange_order& order, const blocks& result) {
        slots_.assign(2, MPI_REQUEST_NULL);
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &order;
        result_ = result;
        layout_ = type_layout{result.type};
        // Bytes of the blocks in the order in which they arrive: the own one, the next rank's in the row, ...
        begin_.assign(1, 0);
        for (int i = 0; i < order.size(); ++i)
            begin_.push_back(begin_.back() + result.count_of(order.at(i)) * layout_.size);
        cell_.reserve(begin_.back());
        pack(result.block_of(order.at(0), layout_), layout_, cell_.data());
        have_ = 1;
        coming_ = 0;
    }

private:
    bool advance() override {
        while (are_free(slots_, 0)) {
            have_ += coming_;
            coming_ = 0;
            if (have_ == order_->size()) {
                for (int i = 1; i < order_->size(); ++i)
                    unpack(cell_.data() + begin_[static_cast<std::size_t>(i)],
                           result_.block_of(order_->at(i), layout_), layout_);
                ++have_; // done: nothing is unpacked again
            }
            if (have_ > order_->size()) return true;
            exchange();
        }
        return false;
    }

    void exchange() {
        slots_.clear();
        coming_ = std::min(have_, order_->size() - have_);
        const auto in = static_cast<std::size_t>(have_), in_end = static_cast<std::size_t>(have_ + coming_);
        receive_packed(cell_.data() + begin_[in], begin_[in_end] - begin_[in], order_->at(have_), tag_, wire_,
                       slots_);
        send_packed(cell_.data(), begin_[static_cast<std::size_t>(coming_)], order_->at(-have_), tag_, wire_,
                    slots_);
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    std::vector<std::size_t> begin_;
    cell cell_; ///< blocks in the order in which they arrive
    int have_ = 0;
    int coming_ = 0;
};

} // namespace topo::detail
