// SPDX-License-Identifier: BSL-1.0
/// @file
/// A message in parts that go different ways at the same time.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_down.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

/// Part `index` of `number` parts, whose lengths differ by one element at most. Where there is no data, only
/// its count and type.
inline message part_of(const message& whole, std::size_t index, std::size_t number) {
    const auto begin = [&](std::size_t i) { // the first (count % number) parts have one more
        return whole.count / number * i + std::min(i, whole.count % number);
    };
    message part = whole;
    part.count = begin(index + 1) - begin(index);
    if (whole.data != nullptr) part.data = type_layout{whole.type}.element(whole.data, begin(index));
    return part;
}

/// Each part of a message down a tree of its own.
class broadcast_parts final : public operation {
public:
    /// @param edges_of the calling rank's edges in the tree of a part
    template <class EdgesOf>
    void start(team& ranks, std::size_t parts, EdgesOf edges_of, const message& what,
               std::size_t segment_bytes) {
        slots_.clear();
        if (downs_.size() < parts) downs_.resize(parts);
        parts_ = parts;
        for (std::size_t i = 0; i < parts; ++i) {
            const message part = part_of(what, i, parts);
            downs_[i].start(ranks.wire(), ranks.next_tag(), edges_of(i), part, cut(part, segment_bytes),
                            slots_);
        }
    }

private:
    bool advance() override {
        bool is_done = true;
        for (std::size_t i = 0; i < parts_; ++i)
            is_done = downs_[i].advance() && is_done;
        return is_done;
    }

    std::vector<tree_down> downs_;
    std::size_t parts_ = 0;
};

/// The halves of a message down two trees.
inline void split_broadcast(team& ranks, const tree_plan& first, const tree_plan& second, const message& what,
                            int root) {
    const tree_edges& first_edges = ranks.edges_for(first, root, operand_order::any);
    const tree_edges& second_edges = ranks.edges_for(second, root, operand_order::any);
    run(ranks.pool<broadcast_parts>(), [&](broadcast_parts& op) {
        op.start(
            ranks, 2,
            [&](std::size_t half) -> const tree_edges& { return half == 0 ? first_edges : second_edges; },
            what, first.segment_bytes);
    });
}

} // namespace topo::detail
