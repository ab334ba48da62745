// SPDX-License-Identifier: BSL-1.0
/// @file
/// A message in stripes along different trees at the same time.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Stripe `index` of `number` stripes, whose lengths differ by one element at most. Without data, only its
/// count and type.
message stripe_of(const message& whole, std::size_t index, std::size_t number);

/// Each stripe of a message down a tree of its own.
class broadcast_stripes final : public operation {
public:
    /// What the edges belong to that the next start uses.
    void keep_trees(std::array<std::shared_ptr<const void>, 2> trees) { trees_ = std::move(trees); }

    /// @param edges_of the calling rank's edges in the tree of a stripe
    template <class EdgesOf>
    void start(context& ranks, std::size_t parts, EdgesOf edges_of, const message& what,
               std::size_t segment_bytes) {
        slots_.clear();
        if (downs_.size() < parts) downs_.resize(parts);
        parts_ = parts;
        for (std::size_t i = 0; i < parts; ++i) {
            const message part = stripe_of(what, i, parts);
            downs_[i].start(ranks.private_comm(), ranks.next_tag(), edges_of(i), part,
                            cut(part, segment_bytes), slots_);
        }
    }

private:
    TOPOMP_INLINE bool advance() override;

    std::array<std::shared_ptr<const void>, 2> trees_;
    std::vector<tree_down> downs_;
    std::size_t parts_ = 0;
};

/// The halves of a message down two trees.
void start_split_broadcast(broadcast_stripes& op, context& ranks, const tree_plan& first,
                           const tree_plan& second, const message& what, int root);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/stripes.ipp>
#endif
