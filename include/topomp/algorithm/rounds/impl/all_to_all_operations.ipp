// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace topo::detail {

TOPOMP_INLINE void all_to_all_pairwise::start(context& ranks, const exchange_order& order,
                                              const blocks& source, const blocks& result) {
    start_from(0, ranks, order, ranks.next_tag(), source, result);
}

TOPOMP_INLINE void all_to_all_pairwise::start_from(std::size_t shortest, context& ranks,
                                                   const exchange_order& order, int tag, const blocks& source,
                                                   const blocks& result) {
    private_comm_ = ranks.private_comm();
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

TOPOMP_INLINE bool all_to_all_pairwise::advance() {
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

TOPOMP_INLINE void all_to_all_pairwise::exchange(int step) {
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
    if (is_received) in_[place].start(in, result_layout_, from, tag_, private_comm_, slots_);
    if (is_sent) out_[place].start(out, source_layout_, to, tag_, private_comm_, slots_);
}

} // namespace topo::detail
