// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block to everybody: along a tree, around a ring, in doubling steps.
#pragma once

#include <topomp/algorithm/block_operations.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/exchange_order.hpp>
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

/// Up a tree to rank 0 and down again. For short blocks: the least messages.
///
/// @pre the blocks lie one behind the other in the order of ranks
class all_gather_tree final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, const message& mine, const blocks& result) {
        slots_.clear();
        const subtree& below = ranks.subtree_for(plan, 0);
        const tree_edges& edges = ranks.edges_for(plan, 0, operand_order::any);
        ranks_ = &ranks;
        edges_ = &edges;
        is_up_ = false;
        sizes_.set_each(below.ranks, [&](int rank) { return bytes_of(result.block_of(rank)); });
        whole_ = result.block_of(0);
        for (int rank = 1; rank < ranks.wire().size(); ++rank)
            whole_.count += result.count_of(rank);
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
            down_.start(ranks_->wire(), down_tag_, *edges_, whole_, cut(whole_, segment_bytes_), slots_);
        }
        return down_.advance();
    }

    team* ranks_ = nullptr;
    const tree_edges* edges_ = nullptr;
    block_sizes sizes_;
    message whole_;
    std::size_t segment_bytes_ = 0;
    int down_tag_ = 0;
    bool is_up_ = false;
    gather_up up_;
    tree_down down_;
};

/// Around a ring of ranks in which neighbours are near: p - 1 steps, in each of which everybody passes on the
/// block that it got in the last. For long blocks: every link carries every block once.
class all_gather_ring final : public operation {
public:
    void start(team& ranks, const exchange_order& order, const blocks& result) {
        slots_.assign(2, MPI_REQUEST_NULL);
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &order;
        result_ = result;
        layout_ = type_layout{result.type};
        step_ = 0;
        piece_ = 0;
    }

private:
    bool advance() override {
        while (slots_[0] == MPI_REQUEST_NULL && slots_[1] == MPI_REQUEST_NULL) {
            if (step_ + 1 >= order_->size()) return true;
            const message out = result_.block_of(order_->at(-step_)),
                          in = result_.block_of(order_->at(-step_ - 1));
            const segments pieces_out = cut(out, 0), pieces_in = cut(in, 0);
            if (piece_ < pieces_in.number)
                mpi::check(MPI_Irecv(layout_.element(in.data, pieces_in.first(piece_)),
                                     pieces_in.length(piece_), in.type, order_->at(-1), tag_, wire_,
                                     &slots_[0]),
                           "MPI_Irecv", "block around a ring");
            if (piece_ < pieces_out.number)
                mpi::check(MPI_Isend(layout_.element(out.data, pieces_out.first(piece_)),
                                     pieces_out.length(piece_), out.type, order_->at(1), tag_, wire_,
                                     &slots_[1]),
                           "MPI_Isend", "block around a ring");
            if (++piece_ >= std::max(pieces_in.number, pieces_out.number)) {
                piece_ = 0;
                ++step_;
            }
        }
        return false;
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    int step_ = 0;
    std::size_t piece_ = 0;
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
        // Bytes of the blocks in the order in which they arrive: the own one, the next rank's in the row, ...
        begin_.assign(1, 0);
        for (int i = 0; i < order.size(); ++i)
            begin_.push_back(begin_.back() + bytes_of(result.block_of(order.at(i))));
        cell_.reserve(begin_.back());
        pack(result.block_of(order.at(0)), cell_.data());
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
                           result_.block_of(order_->at(i)));
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
    std::vector<std::size_t> begin_;
    cell cell_; ///< blocks in the order in which they arrive
    int have_ = 0;
    int coming_ = 0;
};

} // namespace topo::detail
