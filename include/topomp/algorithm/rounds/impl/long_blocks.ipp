// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void direct_blocks::start(context& ranks, std::size_t from_bytes, int tag, const blocks& source,
                                        const blocks& result) {
    private_comm_ = ranks.private_comm();
    tag_ = tag;
    source_ = source;
    layout_ = type_layout{source.type};
    const type_layout there{result.type};
    slots_.clear();
    to_.clear();
    in_.clear();
    sent_ = 0;
    is_finished_ = false;
    const exchange_order& order = ranks.order();
    int stride = order.size() * 5 / 13 + 1; // as of all_to_all_pairwise
    while (std::gcd(stride, order.size()) > 1)
        ++stride;
    scratch_buffer temporary;
    for (int step = 0; step < order.size(); ++step) {
        const auto places = static_cast<int>(static_cast<long long>(step) * stride % order.size());
        const int to = order.at(places), from = order.at(-places);
        const message out = source.block_of(to, layout_), in = result.block_of(from, there);
        const bool is_sent = out.count * layout_.size >= from_bytes;
        if (step == 0) {
            if (is_sent) copy_block(out, in, temporary);
            continue;
        }
        if (is_sent) to_.push_back(to);
        if (in.count * there.size >= from_bytes)
            in_.emplace_back().start(in, there, from, tag_, private_comm_, slots_);
    }
    awaited_ = slots_.size();
    advance(); // a simulated MPI takes long to look which messages have come
}

TOPOMP_INLINE bool direct_blocks::advance() {
    while (!is_finished_ && are_free(slots_, awaited_)) {
        slots_.resize(awaited_);
        if (sent_ == to_.size()) {
            if (!are_free(slots_, 0)) return false;
            for (incoming_block& each : in_)
                each.finish();
            slots_.clear();
            awaited_ = 0;
            is_finished_ = true;
        }
        for (std::size_t i = 0; i < window && sent_ < to_.size(); ++i, ++sent_)
            out_[i].start(source_.block_of(to_[sent_], layout_), layout_, to_[sent_], tag_, private_comm_,
                          slots_);
    }
    return is_finished_;
}

TOPOMP_INLINE long_blocks::long_blocks(context& ranks, std::size_t from_bytes, const blocks& source,
                                       const blocks& result)
    : ranks_(ranks) {
    const int tag = ranks.next_tag();
    running_ = ranks.pool<direct_blocks>().take();
    running_->start(ranks, from_bytes, tag, source, result);
    if (running_->is_empty()) {
        ranks.pool<direct_blocks>().give_back(std::move(running_));
        return;
    }
    ranks.running().add(*running_);
}

TOPOMP_INLINE void long_blocks::finish() {
    if (running_ == nullptr) return;
    ranks_.running().wait(*running_);
    ranks_.running().remove(*running_);
    ranks_.pool<direct_blocks>().give_back(std::move(running_));
}

TOPOMP_INLINE long_blocks::~long_blocks() {
    if (running_ != nullptr) ranks_.running().remove(*running_);
}

} // namespace topo::detail
