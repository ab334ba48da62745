// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/algorithm/shared/posted_slices.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/detail/prepared_posts.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE nodes_with_posts::nodes_with_posts(context& ranks) {
    const auto& node = ranks.node_memory().comm();
    const std::array mine{node.size(), -node.size()};
    std::array<int, 2> most{};
    mpi::allreduce(mine.data(), most.data(), 2, MPI_INT, MPI_MAX, ranks.private_comm(), "sizes of nodes");
    most_ranks = most[0];
    least_ranks = -most[1];
    is_one = most_ranks == ranks.private_comm().size();
    if (is_one) return;
    const bool has_lane = node.rank() < least_ranks;
    auto numbered = own(mpi::comm_split(ranks.private_comm(), has_lane ? node.rank() : MPI_UNDEFINED,
                                        ranks.rank(), "ranks of nodes with one number"));
    if (has_lane) ranks.running().include(lane.emplace(std::move(numbered), place{}));
}

TOPOMP_INLINE nodes_with_posts& nodes_with_posts::of(const hierarchy& levels) {
    return context::of(levels).attached<nodes_with_posts>();
}

struct prepared_posts final : prepared {
    prepared_posts(const hierarchy& on, const void* input, const message& result, MPI_Op op,
                   const char* by_call)
        : prepared(by_call, in_flight::of(on)), levels(on) {
        const auto& nodes = nodes_with_posts::of(levels);
        std::unique_ptr<posted_operation> made;
        if (posted_all_reduce::takes(result, nodes.most_ranks, nodes.is_one))
            made = std::make_unique<posted_all_reduce>(arena::of(levels), input, result, op, nodes.is_one);
        else
            made = std::make_unique<posted_slices>(
                arena::of(levels), input, result, op,
                nodes.is_one ? 0 : posted_slices::parts_of(result, nodes.least_ranks));
        posts = made.get();
        running = std::move(made);
    }

    /// On a rank with a part of the result. @param exchange null: the sum is the result already
    void go_on_with(std::unique_ptr<prepared> exchange) {
        between = std::move(exchange);
        in_node = std::move(running);
        auto made = std::make_unique<sequence>(std::vector<sequence::part>{[this] { return posts; },
                                                                           [this]() -> operation* {
                                                                               if (between == nullptr)
                                                                                   return nullptr;
                                                                               between->start();
                                                                               return between->running.get();
                                                                           },
                                                                           [this] {
                                                                               posts->hand_out();
                                                                               return posts;
                                                                           }});
        steps = made.get();
        running = std::move(made);
    }

    void start() override {
        posts->start();
        if (steps != nullptr) steps->start();
    }

    void let_go() noexcept override {
        if (between != nullptr) between->let_go();
        const hierarchy left{std::move(levels)};
    }

    hierarchy levels; ///< which keeps its arena
    posted_operation* posts = nullptr;
    sequence* steps = nullptr;
    std::unique_ptr<operation> in_node;
    std::unique_ptr<prepared> between;
};

TOPOMP_INLINE bool take_posts(const hierarchy& levels, const message& operands, bool is_commutative) {
    const nodes_with_posts& nodes = nodes_with_posts::of(levels);
    return (nodes.is_one || (nodes.most_ranks > 1 && is_commutative)) &&
           (posted_all_reduce::takes(operands, nodes.most_ranks, nodes.is_one) ||
            posted_slices::takes(operands, nodes.most_ranks));
}

TOPOMP_INLINE std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const void* input,
                                                      const message& result, MPI_Op op, const char* call,
                                                      prepare_in_lane between) {
    std::unique_ptr<prepared_posts> made;
    try {
        made = std::make_unique<prepared_posts>(levels, input, result, op, call);
    } catch (const system_error&) { // on all ranks of the node
    }
    const auto have_all = [&](bool has) {
        const int mine = has ? 1 : 0;
        int least = 0;
        mpi::allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, context::of(levels).private_comm(), call);
        return least == 1;
    };
    if (!have_all(made != nullptr)) return nullptr;
    const auto& nodes = nodes_with_posts::of(levels);
    bool has_tags = true; // of a lane, which only some ranks have
    if (const auto part = made->posts->own_part()) {
        try {
            made->go_on_with(nodes.is_one ? nullptr : between(*nodes.lane, *part));
        } catch (const usage_error&) {
            has_tags = false;
        }
    }
    if (!nodes.is_one && !have_all(has_tags)) return nullptr;
    return made;
}

} // namespace topo::detail
