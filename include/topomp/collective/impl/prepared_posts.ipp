// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
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

#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE nodes_with_posts::nodes_with_posts(context& ranks) {
    const auto& node = ranks.node_memory().comm();
    const bool is_first = node.rank() == 0;
    auto first = own(mpi::comm_split(ranks.private_comm(), is_first ? 0 : MPI_UNDEFINED, ranks.rank(),
                                     "first ranks of nodes"));
    const int mine = node.size();
    mpi::allreduce(&mine, &most_ranks, 1, MPI_INT, MPI_MAX, ranks.private_comm(), "sizes of nodes");
    is_one = most_ranks == ranks.private_comm().size();
    if (is_first && !is_one) first_ranks.emplace(std::move(first), place{});
}

TOPOMP_INLINE nodes_with_posts& nodes_with_posts::of(const hierarchy& levels) {
    return context::of(levels).attached<nodes_with_posts>();
}

struct prepared_posts final : prepared {
    prepared_posts(const hierarchy& on, const void* input, const message& result, MPI_Op op,
                   const char* by_call)
        : prepared(by_call, in_flight::of(on)), levels(on) {
        auto made = std::make_unique<posted_all_reduce>(arena::of(levels), input, result, op,
                                                        nodes_with_posts::of(levels).is_one);
        posts = made.get();
        running = std::move(made);
    }

    /// On a rank whose sum is not yet the result, or has others waiting for it.
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
                                                                           [this]() -> operation* {
                                                                               posts->hand_out();
                                                                               return nullptr;
                                                                           }});
        steps = made.get();
        running = std::move(made);
    }

    void start() override {
        posts->start();
        if (steps != nullptr) steps->start();
    }

    hierarchy levels; ///< which keeps its arena
    posted_all_reduce* posts = nullptr;
    sequence* steps = nullptr;
    std::unique_ptr<operation> in_node;
    std::unique_ptr<prepared> between;
};

TOPOMP_INLINE bool take_posts(const hierarchy& levels, const message& operands, bool is_commutative) {
    const nodes_with_posts& nodes = nodes_with_posts::of(levels);
    return (nodes.is_one || (nodes.most_ranks > 1 && is_commutative)) &&
           posted_all_reduce::takes(operands, nodes.most_ranks, nodes.is_one);
}

TOPOMP_INLINE std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const void* input,
                                                      const message& result, MPI_Op op, const char* call,
                                                      std::unique_ptr<prepared> between) {
    std::unique_ptr<prepared_posts> made;
    try {
        made = std::make_unique<prepared_posts>(levels, input, result, op, call);
        if (made->posts->hands_out()) made->go_on_with(std::move(between));
    } catch (const system_error&) { // on all ranks of the node
    }
    const int mine = made != nullptr ? 1 : 0;
    int all = 0;
    mpi::allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, context::of(levels).private_comm(), call);
    if (all == 0) made.reset();
    return made;
}

} // namespace topo::detail
