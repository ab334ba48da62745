// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that exchanges carry: all-reduce, reduce, broadcast, reduce-scatter, all-gather.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/exchange_operation.hpp>
#include <topomp/algorithm/exchange_schedule.hpp>
#include <topomp/algorithm/folded_row.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

class all_reduce_exchange final : public exchange_operation {
public:
    /// Everything in each of log2 p steps, in the order of ranks where it matters.
    void start_multiplying(team& ranks, const void* input, const message& result, combination how,
                           int radix) {
        begin(ranks, how.is_commutative ? operand_order::any : operand_order::of_ranks);
        fold(ranks, radix);
        add_ordered_multiplying(*folded_, position_, schedule_);
        put_in_one_part(result.count);
        go(input, result, how);
    }

    /// A byte in each round: nobody leaves before all have come.
    void start_barrier(team& ranks, int radix) {
        start_multiplying(ranks, &signal_, {&signal_, 1, MPI_BYTE}, {MPI_BOR, true}, radix);
    }

    /// Splits parts until they are short, exchanges these whole, and multiplies. With nothing short this is
    /// Rabenseifner's. @param whole_bytes the longest part that is short @pre `how` is commutative
    void start_splitting(team& ranks, const void* input, const message& result, combination how, int radix,
                         std::size_t whole_bytes) {
        begin(ranks, operand_order::any);
        fold(ranks, radix);
        std::size_t longest = result.count * size_of(result.type);
        int splits = 0;
        while (splits < folded_->rounds() && longest > whole_bytes)
            longest /= static_cast<std::size_t>(folded_->radix(splits++));
        add_fold(*folded_, position_, schedule_);
        add_splitting(*folded_, position_, splits, schedule_);
        add_whole_multiplying(*folded_, position_, splits, schedule_);
        add_multiplying(*folded_, position_, splits, schedule_);
        add_unfold(*folded_, position_, folded_->all(), schedule_);
        put_in_leaders_parts(result.count);
        go(input, result, how);
    }

    /// Twice around. @pre `how` is commutative
    void start_ring(team& ranks, const void* input, const message& result, combination how) {
        begin(ranks, operand_order::any);
        add_ring_reduction(size(), position_, schedule_);
        add_ring_gather(size(), position_, schedule_);
        put_in_equal_parts(result.count);
        go(input, result, how);
    }

private:
    void go(const void* input, const message& result, combination how) {
        result_ = result;
        copy_block({const_cast<void*>(input), result.count, result.type}, result, temporary_);
        play(result, how.op);
    }

    void finish() override { copy_block({steps_.data(), result_.count, result_.type}, result_, temporary_); }

    message result_;
    cell temporary_;
    std::byte signal_{};
};

/// Rabenseifner's: halving, and a gather to the root.
class reduce_exchange final : public exchange_operation {
public:
    /// @param result the root's; elsewhere its count and type @pre `how` is commutative
    void start(team& ranks, const void* input, const message& result, combination how, int root, int radix) {
        const int end = begin_rooted(ranks, radix, root);
        add_fold(*folded_, position_, schedule_);
        add_splitting(*folded_, position_, folded_->rounds(), schedule_);
        add_gather(*folded_, position_, end, schedule_);
        put_in_leaders_parts(result.count);
        message work = result;
        if (ranks.rank() != root) {
            const type_layout layout{result.type};
            work_.reserve(layout.span(result.count));
            work.data = work_.data() - layout.true_lower;
        }
        copy_block({const_cast<void*>(input), result.count, result.type}, work, temporary_);
        play(work, how.op);
    }

private:
    cell work_, temporary_;
};

/// A part for everybody, and all parts to all, as R. van de Geijn does it.
class broadcast_exchange final : public exchange_operation {
public:
    void start(team& ranks, const message& what, int root, int radix) {
        const int source = begin_rooted(ranks, radix, root);
        add_scatter(*folded_, position_, source, schedule_);
        add_multiplying(*folded_, position_, folded_->rounds(), schedule_);
        add_unfold(*folded_, position_, folded_->all(), schedule_);
        put_in_leaders_parts(what.count);
        play(what, MPI_OP_NULL);
    }
};

/// Everybody's block of the sum.
class reduce_scatter_exchange final : public exchange_operation {
public:
    /// @param input a block for each rank @param mine may lie in it @pre `how` is commutative
    void start_splitting(team& ranks, const blocks& input, const message& mine, combination how, int radix) {
        begin(ranks, operand_order::any);
        fold(ranks, radix);
        add_fold(*folded_, position_, schedule_);
        add_splitting(*folded_, position_, folded_->rounds(), schedule_);
        if (const int other = folded_->follower(folded_->group_of(position_)); other != folded_row::nobody)
            add_unfold(*folded_, position_, folded_->own(other), schedule_);
        own_ = folded_->own(position_).first;
        go(input, mine, how, [&](int part) { return folded_->position_of(part); });
    }

    /// Once around.
    void start_ring(team& ranks, const blocks& input, const message& mine, combination how) {
        begin(ranks, operand_order::any);
        add_ring_reduction(size(), position_, schedule_);
        own_ = position_;
        go(input, mine, how, [](int part) { return part; });
    }

private:
    /// Copies the blocks in the order in which their owners' parts lie.
    template <class PositionOf>
    void go(const blocks& input, const message& mine, combination how, PositionOf position_of) {
        mine_ = mine;
        layout_ = type_layout{input.type};
        begin_.push_back(0);
        for (int part = 0; part < size(); ++part)
            begin_.push_back(begin_.back() + input.count_of(rank_at(position_of(part))));
        work_.reserve(layout_.span(begin_.back()));
        const message work{work_.data() - layout_.true_lower, begin_.back(), input.type};
        for (int part = 0; part < size(); ++part)
            copy_block(input.block_of(rank_at(position_of(part)), layout_),
                       {layout_.element(work.data, begin_of(part)), length_of(part), input.type}, temporary_);
        play(work, how.op);
    }

    void finish() override {
        copy_block({layout_.element(steps_.data(), begin_of(own_)), length_of(own_), mine_.type}, mine_,
                   temporary_);
    }

    message mine_;
    type_layout layout_{MPI_BYTE};
    int own_ = 0; ///< the calling rank's part
    cell work_, temporary_;
};

/// By doubling: the longest messages between neighbours, and a step before and behind where the number of
/// ranks is no power of two.
class all_gather_doubling final : public exchange_operation {
public:
    /// @pre the calling rank's block is in its place
    void start(team& ranks, const blocks& result, int radix) {
        begin(ranks, operand_order::any);
        fold(ranks, radix);
        add_collection(*folded_, position_, schedule_);
        add_multiplying(*folded_, position_, folded_->rounds(), schedule_);
        add_unfold(*folded_, position_, folded_->all(), schedule_);
        result_ = result;
        layout_ = type_layout{result.type};
        begin_.push_back(0);
        for (int part = 0; part < size(); ++part)
            begin_.push_back(begin_.back() + block_at(part).count * layout_.size);
        work_.reserve(begin_.back());
        const int own = folded_->own(position_).first;
        pack(block_at(own), layout_, work_.data() + begin_of(own));
        play({work_.data(), begin_.back(), MPI_PACKED}, MPI_OP_NULL);
    }

private:
    message block_at(int part) const {
        return result_.block_of(rank_at(folded_->position_of(part)), layout_);
    }

    void finish() override {
        for (int part = 0; part < size(); ++part)
            if (folded_->position_of(part) != position_)
                unpack(work_.data() + begin_of(part), block_at(part), layout_);
    }

    blocks result_;
    type_layout layout_{MPI_BYTE};
    cell work_; ///< all blocks as bytes, in the order of parts
};

} // namespace topo::detail
