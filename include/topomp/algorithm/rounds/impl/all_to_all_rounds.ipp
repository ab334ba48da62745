// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/all_to_all_rounds.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void all_to_all_rounds::start(context& ranks, const folded_order& rank_order,
                                            const blocks& source, const blocks& result) {
    const exchange_order& order = ranks.order();
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    order_ = &order;
    result_ = result;
    rank_order_ = &rank_order;
    slots_.clear();
    const type_layout layout{source.type};
    block_bytes_ = source.count * layout.size;
    const auto size = static_cast<std::size_t>(order.size());
    all_.reserve(block_bytes_ * size);
    going_.reserve(block_bytes_ * size);
    coming_.reserve(block_bytes_ * size);
    for (int position = 0; position < order.size(); ++position)
        pack(source.block_of(rank_at(position), layout), layout, block(position));
    round_ = -1;
    weight_ = 1;
    is_finished_ = false;
}

TOPOMP_INLINE bool all_to_all_rounds::advance() {
    while (!is_finished_ && are_free(slots_, 0)) {
        slots_.clear();
        if (round_ >= 0) {
            for_others([&](int digit, int, std::size_t at) {
                copy_blocks(digit, [&](std::byte* here, std::size_t done, std::size_t bytes) {
                    copy_bytes(here, coming_.data() + at + done, bytes);
                });
            });
            weight_ *= rank_order_->radix(round_);
        }
        if (++round_ < rank_order_->rounds())
            exchange();
        else
            finish();
    }
    return is_finished_;
}

TOPOMP_INLINE void all_to_all_rounds::exchange() {
    const std::size_t bytes = bytes_each();
    for_others([&](int, int rank, std::size_t at) {
        receive_packed(coming_.data() + at, bytes, rank, tag_, private_comm_, slots_);
    });
    for_others([&](int digit, int rank, std::size_t at) {
        copy_blocks(digit, [&](const std::byte* here, std::size_t done, std::size_t length) {
            copy_bytes(going_.data() + at + done, here, length);
        });
        send_packed(going_.data() + at, bytes, rank, tag_, private_comm_, slots_);
    });
}

TOPOMP_INLINE std::size_t all_to_all_rounds::bytes_each() const {
    return static_cast<std::size_t>(order_->size() / rank_order_->radix(round_)) * block_bytes_;
}

TOPOMP_INLINE void all_to_all_rounds::finish() {
    is_finished_ = true;
    const type_layout layout{result_.type};
    for (int position = 0; position < order_->size(); ++position)
        unpack(block(position), result_.block_of(rank_at(position), layout), layout);
}

TOPOMP_INLINE std::byte* all_to_all_rounds::block(int number) const {
    return all_.data() + static_cast<std::size_t>(number) * block_bytes_;
}

} // namespace topo::detail
