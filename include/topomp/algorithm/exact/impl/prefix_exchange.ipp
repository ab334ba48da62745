// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/prefix_exchange.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/elements.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace topo::detail {

template <class Block>
void prefix_exchange<Block>::start(context& ranks, std::span<Block> sums) {
    sums_ = sums;
    begin(ranks, operand_order::of_ranks);
    work_.reserve(2 * sums.size_bytes());
    auto* const work = reinterpret_cast<Block*>(work_.data());
    std::ranges::uninitialized_copy(sums, std::span{work, sums.size()});
    std::uninitialized_value_construct_n(work + sums.size(), sums.size());
    begin_.assign(rank_order_.size() + 1, 2 * sums.size());
    begin_[0] = 0;
    begin_[1] = sums.size();

    const part_range operands{0, 1}, before{1, 2};
    // Nothing is before rank 0.
    const auto add = [&](int distance, const part_range& what, int least, bool joins) {
        const int to = position_ + distance, from = position_ - distance;
        schedule_.push_back({position_ >= least && to < size() ? to : exchange_step::nobody, what,
                             from >= least ? from : exchange_step::nobody, before, arrival::adds, joins});
    };
    add(1, operands, 0, false);
    add(2, operands, 0, true);
    for (int known = 2; known < size() - 1; known *= 2)
        add(known, before, 1, false);
    play({work, 2 * sums.size(), datatype_of<Block>()}, combination_of<std::plus<>, Block>().op);
}

template <class Block>
void prefix_exchange<Block>::finish() {
    const auto* const work = static_cast<const Block*>(steps_.data());
    std::copy_n(work + sums_.size(), sums_.size(), sums_.begin());
}

} // namespace topo::detail
