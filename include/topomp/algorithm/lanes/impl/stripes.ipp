// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE message stripe_of(const message& whole, std::size_t index, std::size_t number) {
    const auto begin = [&](std::size_t i) { // the first (count % number) stripes have one more
        return whole.count / number * i + std::min(i, whole.count % number);
    };
    message part = whole;
    part.count = begin(index + 1) - begin(index);
    if (whole.data != nullptr) part.data = type_layout{whole.type}.element(whole.data, begin(index));
    return part;
}

TOPOMP_INLINE bool broadcast_stripes::advance() {
    bool is_done = true;
    for (std::size_t i = 0; i < parts_; ++i)
        is_done = downs_[i].advance() && is_done;
    return is_done;
}

TOPOMP_INLINE void start_split_broadcast(broadcast_stripes& op, context& ranks, const tree_plan& first,
                                         const tree_plan& second, const message& what, int root) {
    const auto first_edges = ranks.edges_for(first, root, operand_order::any);
    const auto second_edges = ranks.edges_for(second, root, operand_order::any);
    op.keep_trees({first_edges, second_edges});
    op.start(
        ranks, 2,
        [&](std::size_t half) -> const tree_edges& { return half == 0 ? *first_edges : *second_edges; }, what,
        first.segment_bytes);
}

} // namespace topo::detail
