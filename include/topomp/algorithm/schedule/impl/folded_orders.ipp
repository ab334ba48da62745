// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

TOPOMP_INLINE const folded_order& folded_orders::of(int radix) {
    if (const auto known = rank_orders_.find(radix); known != rank_orders_.end()) return known->second;
    folded_order& made = rank_orders_[radix];
    made.set(ranks_.order().size(), ranks_.order().blocks, radix);
    return made;
}

TOPOMP_INLINE const folded_order& folded_orders::bine() {
    if (!bine_) bine_.emplace().set_bine(ranks_.order().size());
    return *bine_;
}

} // namespace topo::detail
