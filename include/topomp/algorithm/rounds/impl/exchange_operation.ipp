// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace topo::detail {

TOPOMP_INLINE void exchange_operation::begin(context& ranks, operand_order order) {
    schedule_.clear();
    begin_.clear();
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    if (order == operand_order::any) {
        rank_order_ = ranks.order().ranks;
        position_ = ranks.order().mine;
    } else {
        in_order_.resize(static_cast<std::size_t>(ranks.private_comm().size()));
        std::iota(in_order_.begin(), in_order_.end(), 0);
        rank_order_ = in_order_;
        position_ = ranks.rank();
    }
}

TOPOMP_INLINE int exchange_operation::begin_rooted(context& ranks, int radix, int root) {
    begin(ranks, operand_order::any);
    const int position = static_cast<int>(std::ranges::find(rank_order_, root) - rank_order_.begin());
    fold(ranks, radix);
    if (!folded_->is_leader(position)) {
        led_by_root_.set(size(), ranks.order().blocks, radix, position);
        folded_ = &led_by_root_;
    }
    return position;
}

TOPOMP_INLINE void exchange_operation::put_in_one_part(std::size_t count) {
    begin_.assign(rank_order_.size() + 1, count);
    begin_.front() = 0;
}

TOPOMP_INLINE void exchange_operation::put_in_equal_parts(std::size_t count) {
    for (std::size_t part = 0; part <= rank_order_.size(); ++part)
        begin_.push_back(share(count, part, rank_order_.size()));
}

TOPOMP_INLINE void exchange_operation::put_in_leaders_parts(std::size_t count) {
    std::size_t group = 0;
    begin_.push_back(0);
    for (int part = 0; part < folded_->size(); ++part) {
        if (folded_->is_leader(folded_->position_of(part))) ++group;
        begin_.push_back(share(count, group, static_cast<std::size_t>(folded_->groups())));
    }
}

TOPOMP_INLINE int exchange_operation::splits_of(std::size_t bytes, std::size_t short_bytes) const {
    int splits = 0;
    while (splits < folded_->rounds() && bytes > short_bytes)
        bytes /= static_cast<std::size_t>(folded_->radix(splits++));
    return splits;
}

TOPOMP_INLINE void exchange_operation::play(const message& work, MPI_Op op) {
    is_finished_ = false;
    steps_.start(private_comm_, tag_, rank_order_, work, begin_, op, schedule_, slots_);
}

TOPOMP_INLINE void exchange_operation::play_again() {
    is_finished_ = false;
    steps_.start_again();
}

TOPOMP_INLINE bool exchange_operation::advance() {
    do {
        if (!steps_.advance()) return false;
    } while (!is_finished_ && play_next());
    if (!is_finished_) finish();
    is_finished_ = true;
    return true;
}

TOPOMP_INLINE std::size_t exchange_operation::share(std::size_t count, std::size_t part, std::size_t parts) {
    return count / parts * part + std::min(part, count % parts);
}

} // namespace topo::detail
