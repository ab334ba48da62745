// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/partial_sum.hpp>
#include <topomp/algorithm/exact/sum_exchange.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/elements.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace topo::detail {

template <class Block>
void sum_exchange<Block>::start(context& ranks, T* sums, std::size_t count, int radix,
                                function_ref<void(std::span<Block>)> load) {
    sums_ = sums;
    count_ = count;
    is_rounded_ = false;
    const std::size_t blocks = blocks_of<Block>(count);
    work_.reserve(blocks * sizeof(Block));
    const std::span operands{reinterpret_cast<Block*>(work_.data()), blocks};
    load(operands);

    begin(ranks, operand_order::any);
    fold(ranks, radix);
    splits_ = splits_of(operands.size_bytes(), whole_bytes_in_rounds);
    add_fold(*folded_, position_, schedule_);
    add_halving(*folded_, position_, splits_, schedule_);
    add_whole_doubling(*folded_, position_, splits_, schedule_);
    put_in_leaders_parts(blocks);
    play({operands.data(), blocks, datatype_of<Block>()}, combination_of<std::plus<>, Block>().op);
}

template <class Block>
bool sum_exchange<Block>::play_next() {
    if (is_rounded_) return false;
    is_rounded_ = true;
    for (std::size_t& begin : begin_)
        begin = std::min(begin * Block::columns, count_);
    if (folded_->is_leader(position_)) {
        const part_range mine = folded_->held(folded_->group_of(position_), splits_);
        const auto* const blocks = static_cast<const Block*>(steps_.data());
        for (std::size_t done = begin_of(mine.first); done < begin_of(mine.end); done += Block::columns)
            blocks[done / Block::columns].write(sums_ + done,
                                                std::min(begin_of(mine.end) - done, Block::columns));
    }
    schedule_.clear();
    add_doubling(*folded_, position_, splits_, schedule_);
    add_unfold(*folded_, position_, folded_->all(), schedule_);
    play({sums_, count_, datatype_of<T>()}, MPI_OP_NULL);
    return true;
}

} // namespace topo::detail
