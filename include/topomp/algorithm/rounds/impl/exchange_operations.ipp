// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void all_reduce_exchange::start_doubling(context& ranks, const void* input,
                                                       const message& result, combination combiner,
                                                       int radix) {
    begin(ranks, combiner.is_commutative ? operand_order::any : operand_order::of_ranks);
    fold(ranks, radix);
    add_ordered_doubling(*folded_, position_, schedule_);
    put_in_one_part(result.count);
    go(input, result, combiner);
}

TOPOMP_INLINE void all_reduce_exchange::start_barrier(context& ranks, int radix) {
    start_doubling(ranks, &signal_, {&signal_, 1, MPI_BYTE}, {MPI_BOR, true}, radix);
}

TOPOMP_INLINE void all_reduce_exchange::start_halving(context& ranks, const void* input,
                                                      const message& result, combination combiner, int radix,
                                                      std::size_t whole_bytes) {
    begin(ranks, operand_order::any);
    fold(ranks, radix);
    halve(input, result, combiner, splits_of(result.count * size_of(result.type), whole_bytes));
}

TOPOMP_INLINE void all_reduce_exchange::start_bine(context& ranks, const void* input, const message& result,
                                                   combination combiner) {
    begin(ranks, operand_order::any);
    folded_ = &ranks.attached<folded_orders>().bine();
    halve(input, result, combiner, folded_->rounds());
}

TOPOMP_INLINE void all_reduce_exchange::halve(const void* input, const message& result, combination combiner,
                                              int splits) {
    add_fold(*folded_, position_, schedule_);
    add_halving(*folded_, position_, splits, schedule_);
    add_whole_doubling(*folded_, position_, splits, schedule_);
    add_doubling(*folded_, position_, splits, schedule_);
    add_unfold(*folded_, position_, folded_->all(), schedule_);
    put_in_leaders_parts(result.count);
    go(input, result, combiner);
}

TOPOMP_INLINE void all_reduce_exchange::start_ring(context& ranks, const void* input, const message& result,
                                                   combination combiner) {
    begin(ranks, operand_order::any);
    add_ring_reduction(size(), position_, schedule_);
    add_ring_gather(size(), position_, schedule_);
    put_in_equal_parts(result.count);
    go(input, result, combiner);
}

TOPOMP_INLINE void all_reduce_exchange::go(const void* input, const message& result, combination combiner) {
    input_ = input;
    result_ = result;
    copy_input();
    play(result, combiner.op);
}

TOPOMP_INLINE bool all_reduce_exchange::start_again() {
    copy_input();
    play_again();
    return true;
}

TOPOMP_INLINE void reduce_exchange::start(context& ranks, const void* input, const message& result,
                                          combination combiner, int root, int radix) {
    const int end = begin_rooted(ranks, radix, root);
    add_fold(*folded_, position_, schedule_);
    add_halving(*folded_, position_, folded_->rounds(), schedule_);
    add_gather(*folded_, position_, end, schedule_);
    put_in_leaders_parts(result.count);
    input_ = input;
    sum_ = result;
    if (ranks.rank() != root) {
        const type_layout layout{result.type};
        work_.reserve(layout.span(result.count));
        sum_.data = work_.data() - layout.true_lower;
    }
    copy_input();
    play(sum_, combiner.op);
}

TOPOMP_INLINE bool reduce_exchange::start_again() {
    copy_input();
    play_again();
    return true;
}

TOPOMP_INLINE void broadcast_exchange::start(context& ranks, const message& what, int root, int radix) {
    const int source = begin_rooted(ranks, radix, root);
    add_scatter(*folded_, position_, source, schedule_);
    add_doubling(*folded_, position_, folded_->rounds(), schedule_);
    add_unfold(*folded_, position_, folded_->all(), schedule_);
    put_in_leaders_parts(what.count);
    play(what, MPI_OP_NULL);
}

TOPOMP_INLINE bool broadcast_exchange::start_again() {
    play_again();
    return true;
}

TOPOMP_INLINE void reduce_scatter_exchange::start_halving(context& ranks, const blocks& input,
                                                          const message& mine, combination combiner,
                                                          int radix) {
    begin(ranks, operand_order::any);
    fold(ranks, radix);
    add_fold(*folded_, position_, schedule_);
    add_halving(*folded_, position_, folded_->rounds(), schedule_);
    if (const int other = folded_->follower(folded_->group_of(position_)); other != folded_order::no_rank)
        add_unfold(*folded_, position_, folded_->own(other), schedule_);
    own_ = folded_->own(position_).first;
    go(input, mine, combiner, [&](int part) { return folded_->position_of(part); });
}

TOPOMP_INLINE void reduce_scatter_exchange::start_ring(context& ranks, const blocks& input,
                                                       const message& mine, combination combiner) {
    begin(ranks, operand_order::any);
    add_ring_reduction(size(), position_, schedule_);
    own_ = position_;
    go(input, mine, combiner, [](int part) { return part; });
}

TOPOMP_INLINE void reduce_scatter_exchange::finish() {
    copy_block({layout_.element(steps_.data(), begin_of(own_)), length_of(own_), mine_.type}, mine_,
               temporary_);
}

TOPOMP_INLINE void all_gather_doubling::start(context& ranks, const blocks& result, int radix) {
    begin(ranks, operand_order::any);
    fold(ranks, radix);
    add_collection(*folded_, position_, schedule_);
    add_doubling(*folded_, position_, folded_->rounds(), schedule_);
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

TOPOMP_INLINE message all_gather_doubling::block_at(int part) const {
    return result_.block_of(rank_at(folded_->position_of(part)), layout_);
}

TOPOMP_INLINE void all_gather_doubling::finish() {
    for (int part = 0; part < size(); ++part)
        if (folded_->position_of(part) != position_)
            unpack(work_.data() + begin_of(part), block_at(part), layout_);
}

} // namespace topo::detail
