// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/sum_exchange.hpp>
#include <topomp/algorithm/rounds/whole_bytes.hpp>
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
#include <numeric>
#include <span>

namespace topo::detail {

template <class Block>
std::span<Block> sum_exchange<Block>::begin_blocks(context& ranks, T* sums, std::size_t blocks, int radix) {
    sums_ = sums;
    is_rounded_ = false;
    begin(ranks, operand_order::any);
    fold(ranks, radix);
    work_.reserve(blocks * sizeof(Block));
    return {reinterpret_cast<Block*>(work_.data()), blocks};
}

template <class Block>
void sum_exchange<Block>::start(context& ranks, T* sums, std::size_t blocks, int radix,
                                function_ref<void(std::span<Block>)> load) {
    const std::span operands = begin_blocks(ranks, sums, blocks, radix);
    gathers_ = true;
    load(operands);
    splits_ = splits_of(operands.size_bytes(), whole_bytes_in_rounds);
    add_fold(*folded_, position_, schedule_);
    add_halving(*folded_, position_, splits_, schedule_);
    add_whole_doubling(*folded_, position_, splits_, schedule_);
    put_in_leaders_parts(blocks);
    play({operands.data(), blocks, datatype_of<Block>()}, combination_of<std::plus<>, Block>().op);
}

template <class Block>
void sum_exchange<Block>::start_scatter(context& ranks, T* sums, std::span<const std::size_t> sections,
                                        int radix, section_loader load) {
    const std::size_t blocks = std::accumulate(sections.begin(), sections.end(), std::size_t{0});
    const std::span operands = begin_blocks(ranks, sums, blocks, radix);
    gathers_ = false;
    begin_.push_back(0);
    for (int part = 0; part < size(); ++part) {
        const int rank = rank_at(folded_->position_of(part));
        const std::size_t length = sections[static_cast<std::size_t>(rank)];
        load(rank, operands.subspan(begin_.back(), length));
        begin_.push_back(begin_.back() + length);
    }
    splits_ = folded_->rounds();
    add_halving(*folded_, position_, splits_, schedule_);
    play({operands.data(), blocks, datatype_of<Block>()}, combination_of<std::plus<>, Block>().op);
}

template <class Block>
bool sum_exchange<Block>::play_next() {
    if (is_rounded_) return false;
    is_rounded_ = true;
    if (folded_->is_leader(position_)) {
        const part_range mine = folded_->held(folded_->group_of(position_), splits_);
        const auto* const blocks = static_cast<const Block*>(steps_.data());
        T* to = gathers_ ? sums_ + begin_of(mine.first) * Block::columns : sums_;
        for (std::size_t block = begin_of(mine.first); block < begin_of(mine.end); ++block) {
            blocks[block].write(to, Block::columns);
            to += Block::columns;
        }
    }
    if (!gathers_) return false;
    for (std::size_t& begin : begin_)
        begin *= Block::columns;
    schedule_.clear();
    add_doubling(*folded_, position_, splits_, schedule_);
    add_unfold(*folded_, position_, folded_->all(), schedule_);
    play({sums_, begin_.back(), datatype_of<T>()}, MPI_OP_NULL);
    return true;
}

} // namespace topo::detail
