// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/all_to_all_bruck.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void all_to_all_bruck::start(context& ranks, const exchange_order& order, const blocks& source,
                                           const blocks& result) {
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    order_ = &order;
    result_ = result;
    slots_.clear();
    const type_layout layout{source.type};
    block_bytes_ = source.count * layout.size;
    const auto size = static_cast<std::size_t>(order.size());
    all_.reserve(block_bytes_ * size);
    // In each step at most half of the blocks, rounded up, have the bit.
    going_.reserve(block_bytes_ * (size / 2 + 1));
    coming_.reserve(block_bytes_ * (size / 2 + 1));
    for (int distance = 0; distance < order.size(); ++distance)
        pack(source.block_of(order.at(distance), layout), layout, block(distance));
    step_ = 0;
    is_finished_ = false;
}

TOPOMP_INLINE bool all_to_all_bruck::advance() {
    while (!is_finished_ && are_free(slots_, 0)) {
        slots_.clear();
        take_in();
        step_ = step_ == 0 ? 1 : 2 * step_;
        if (step_ >= order_->size())
            finish();
        else
            exchange();
    }
    return is_finished_;
}

TOPOMP_INLINE void all_to_all_bruck::exchange() {
    std::size_t bytes = 0;
    for_moving([&](std::byte* each) {
        copy_bytes(going_.data() + bytes, each, block_bytes_);
        bytes += block_bytes_;
    });
    receive_packed(coming_.data(), bytes, order_->at(-step_), tag_, private_comm_, slots_);
    send_packed(going_.data(), bytes, order_->at(step_), tag_, private_comm_, slots_);
}

TOPOMP_INLINE std::byte* all_to_all_bruck::block(int distance) const {
    return all_.data() + static_cast<std::size_t>(distance) * block_bytes_;
}

TOPOMP_INLINE void all_to_all_bruck::take_in() {
    std::size_t bytes = 0;
    for_moving([&](std::byte* each) {
        copy_bytes(each, coming_.data() + bytes, block_bytes_);
        bytes += block_bytes_;
    });
}

TOPOMP_INLINE void all_to_all_bruck::finish() {
    is_finished_ = true;
    const type_layout layout{result_.type};
    for (int distance = 0; distance < order_->size(); ++distance)
        unpack(block(distance), result_.block_of(order_->at(-distance), layout), layout);
}

} // namespace topo::detail
