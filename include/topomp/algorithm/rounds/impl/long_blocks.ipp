// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
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
    result_ = result;
    layout_ = type_layout{source.type};
    result_layout_ = type_layout{result.type};
    slots_.clear();
    to_.clear();
    from_.clear();
    sent_ = awaited_ = received_ = in_slots_ = 0;
    is_sending_ = false;
    const exchange_order& order = ranks.order();
    int stride = order.size() * 5 / 13 + 1; // as of all_to_all_pairwise
    while (std::gcd(stride, order.size()) > 1)
        ++stride;
    scratch_buffer temporary;
    for (int step = 0; step < order.size(); ++step) {
        const auto places = static_cast<int>(static_cast<long long>(step) * stride % order.size());
        const int to = order.at(places), from = order.at(-places);
        const bool is_sent = source.count_of(to) * layout_.size >= from_bytes;
        if (step == 0) {
            if (is_sent)
                copy_block(source.block_of(to, layout_), result.block_of(from, result_layout_), temporary);
            continue;
        }
        if (is_sent) to_.push_back(to);
        if (result.count_of(from) * result_layout_.size >= from_bytes) from_.push_back(from);
    }
    advance(); // awaits the first ones
}

TOPOMP_INLINE bool direct_blocks::advance() {
    while (await_more() || send_more())
        ;
    return received_ == from_.size() && sent_ == to_.size() && are_free(slots_, 0);
}

TOPOMP_INLINE bool direct_blocks::await_more() {
    const auto behind = slots_.begin() + static_cast<std::ptrdiff_t>(in_slots_);
    if (!std::all_of(slots_.begin(), behind, [](MPI_Request each) { return each == MPI_REQUEST_NULL; }))
        return false;
    for (std::size_t i = 0; received_ < awaited_; ++i, ++received_)
        in_[i].finish();
    if (awaited_ == from_.size()) return false;
    going_.assign(behind, slots_.end());
    slots_.clear();
    for (std::size_t i = 0; i < most_awaited && awaited_ < from_.size(); ++i, ++awaited_)
        in_[i].start(result_.block_of(from_[awaited_], result_layout_), result_layout_, from_[awaited_], tag_,
                     private_comm_, slots_);
    in_slots_ = slots_.size();
    slots_.insert(slots_.end(), going_.begin(), going_.end());
    return true;
}

TOPOMP_INLINE bool direct_blocks::send_more() {
    if (!is_sending_ || sent_ == to_.size() || !are_free(slots_, in_slots_)) return false;
    slots_.resize(in_slots_);
    for (std::size_t i = 0; i < window && sent_ < to_.size(); ++i, ++sent_)
        out_[i].start(source_.block_of(to_[sent_], layout_), layout_, to_[sent_], tag_, private_comm_,
                      slots_);
    return true;
}

/// Whether a rank has blocks of at least so many bytes.
inline bool has_long(const blocks& all, std::size_t from_bytes) {
    const std::size_t size = size_of(all.type);
    if (all.counts.empty()) return all.count * size >= from_bytes;
    return std::ranges::any_of(all.counts, [&](std::size_t count) { return count * size >= from_bytes; });
}

TOPOMP_INLINE long_blocks::long_blocks(context& ranks, std::size_t from_bytes, const blocks& source,
                                       const blocks& result)
    : ranks_(ranks) {
    const int tag = ranks.next_tag();
    static_cast<void>(ranks.order()); // which all ranks find out together
    if (!has_long(source, from_bytes) && !has_long(result, from_bytes)) return;
    const auto start = [&](direct_blocks& op) { op.start(ranks, from_bytes, tag, source, result); };
    running_ = take_started(ranks.pool<direct_blocks>(), start);
    if (running_->is_empty()) {
        ranks.pool<direct_blocks>().give_back(std::move(running_));
        return;
    }
    ranks.running().add(*running_);
}

TOPOMP_INLINE void long_blocks::finish() {
    if (running_ == nullptr) return;
    running_->send();
    ranks_.running().wait(*running_);
    ranks_.running().remove(*running_);
    ranks_.pool<direct_blocks>().give_back(std::move(running_));
}

TOPOMP_INLINE long_blocks::~long_blocks() {
    if (running_ == nullptr) return;
    ranks_.running().remove(*running_); // a failure left it under way
    give_up(std::move(running_), ranks_.running().left);
}

TOPOMP_INLINE void exchange_in_node(context& ranks, shared_blocks& node, const blocks& source,
                                    const blocks& result) {
    const std::size_t from = node.shorter_than();
    if (node.copies_long_blocks()) return node.all_to_allv(source, result, from, true);
    long_blocks others{ranks, from, source, result};
    node.all_to_allv(source, result, from, false);
    others.finish();
}

} // namespace topo::detail
