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
    step_ = 0; // the own block first
    older_ = 0;
    const std::size_t bytes = result.counts.empty() ? result.count * result_layout_.size : least_bytes;
    window_ = static_cast<int>(
        std::clamp<std::size_t>(least_bytes / std::max<std::size_t>(bytes, 1), fewest, most));
    for (group& each : groups_) {
        each.steps = each.slots = 0;
        each.in.resize(static_cast<std::size_t>(window_));
        each.out.resize(static_cast<std::size_t>(window_));
    }
    stride_ = order.size() * 5 / 13 + 1;
    while (std::gcd(stride_, order.size()) > 1)
        ++stride_;
}

TOPOMP_INLINE bool all_to_all_pairwise::advance() {
    for (;;) {
        group& older = groups_[older_];
        const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(older.slots);
        if (!std::all_of(slots_.begin(), end, [](MPI_Request each) { return each == MPI_REQUEST_NULL; }))
            return false;
        slots_.erase(slots_.begin(), end);
        for (std::size_t i = 0; i < older.steps; ++i)
            older.in[i].finish();
        older.steps = older.slots = 0;
        older_ = 1 - older_;
        if (step_ == order_->size() && groups_[older_].steps == 0) return true;
        const std::size_t before = slots_.size();
        for (const int last = std::min(step_ + window_, order_->size()); step_ < last; ++step_)
            exchange(step_, older);
        older.slots = slots_.size() - before;
    }
}

TOPOMP_INLINE void all_to_all_pairwise::exchange(int step, group& with) {
    const auto places = static_cast<int>(static_cast<long long>(step) * stride_ % order_->size());
    const int to = order_->at(places), from = order_->at(-places);
    const message out = source_.block_of(to, source_layout_), in = result_.block_of(from, result_layout_);
    const std::size_t place = with.steps++;
    const bool is_sent = out.count * source_layout_.size >= shortest_,
               is_received = in.count * result_layout_.size >= shortest_;
    if (step == 0) {
        if (is_sent) copy_block(out, in, own_);
        return;
    }
    if (is_received) with.in[place].start(in, result_layout_, from, tag_, private_comm_, slots_);
    if (is_sent) with.out[place].start(out, source_layout_, to, tag_, private_comm_, slots_);
}

} // namespace topo::detail
