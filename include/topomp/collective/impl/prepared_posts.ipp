// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/multi_object_nodes.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/algorithm/shared/posted_lanes.hpp>
#include <topomp/algorithm/shared/posted_multi_object.hpp>
#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/algorithm/shared/posted_slices.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/detail/prepared_posts.hpp>
#include <topomp/collective/detail/take_posts.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <map>
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
    if (is_one) {
        is_oversubscribed = ranks.node_memory().is_oversubscribed();
        return;
    }
    const bool has_lane = node.rank() < least_ranks;
    auto numbered = own(mpi::comm_split(ranks.private_comm(), has_lane ? node.rank() : MPI_UNDEFINED,
                                        ranks.rank(), "ranks of nodes with one number"));
    if (has_lane) ranks.running().include(lane.emplace(std::move(numbered), place{}));
}

TOPOMP_INLINE nodes_with_posts& nodes_with_posts::of(const hierarchy& levels) {
    return context::of(levels).attached<nodes_with_posts>();
}

/// How the nodes exchange in the blocking form, if more than one rank of each does so.
struct exchange_of_nodes {
    multi_object_nodes* at_once = nullptr;
    lanes_of_slices* in_lanes = nullptr;

    bool is_one() const { return at_once != nullptr || in_lanes != nullptr; }

    /// The same on all ranks. @collective over the whole the first time for each plan
    static exchange_of_nodes of(const hierarchy& levels, const plan& blocking, const message& operands,
                                bool is_commutative);
};

TOPOMP_INLINE exchange_of_nodes exchange_of_nodes::of(const hierarchy& levels, const plan& blocking,
                                                      const message& operands, bool is_commutative) {
    exchange_of_nodes made;
    if (blocking.uses != algorithm::hierarchical || !is_commutative) return made;
    if (nodes_with_posts::of(levels).is_one) return made;
    context& ranks = context::of(levels);
    const any_level_algorithm& between = blocking.loop.rules.back().algorithm;
    const auto is_usable = [&](const auto* nodes) {
        // The ranks that share this memory are one of these nodes: which depends on the machine alone.
        struct known {
            explicit known(context&) {}
            std::map<const void*, bool> by_rules;
        };
        const auto [found, is_new] =
            ranks.attached<known>().by_rules.try_emplace(blocking.loop.rules.data(), false);
        if (!is_new) return found->second;
        int mine = 0, least = 0;
        if (nodes != nullptr) {
            const auto& comm = ranks.node_memory().comm();
            mine = comm.size() == nodes->size() && comm.rank() == nodes->number() ? 1 : 0;
        }
        mpi::allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, ranks.private_comm(), "memory of nodes");
        return found->second = least == 1;
    };
    if (between.name == level_algorithm_name<multi_object>) {
        auto* const nodes = nodes_of<multi_object_nodes>(ranks, blocking.loop);
        if (is_usable(nodes) && posted_multi_object::takes(*nodes, operands)) made.at_once = nodes;
    } else if (between.radix_of_lanes > 0) {
        auto* const nodes = nodes_of<lanes_of_slices>(ranks, blocking.loop);
        if (is_usable(nodes) && posted_lanes::takes(operands)) made.in_lanes = nodes;
    }
    return made;
}

struct prepared_posts final : prepared {
    prepared_posts(const hierarchy& on, const exchange_of_nodes& exchange, const void* input,
                   const message& result, MPI_Op op, const char* by_call)
        : prepared(by_call, in_flight::of(on)), levels(on) {
        compared.are_of(levels);
        const auto& nodes = nodes_with_posts::of(levels);
        std::unique_ptr<posted_operation> made;
        if (exchange.at_once != nullptr) {
            context& ranks = context::of(levels);
            tags = ranks.reserve_tags();
            made = std::make_unique<posted_multi_object>(arena::of(levels), *exchange.at_once,
                                                         ranks.private_comm(), tags.first, input, result, op);
        } else if (exchange.in_lanes != nullptr) {
            auto one =
                std::make_unique<posted_lanes>(arena::of(levels), *exchange.in_lanes, input, result, op);
            in_lanes = one.get();
            made = std::move(one);
        } else if (posted_all_reduce::takes(result, nodes.most_ranks, nodes.is_one,
                                            nodes.is_oversubscribed)) {
            auto one =
                std::make_unique<posted_all_reduce>(arena::of(levels), input, result, op, nodes.is_one);
            is_whole_start = one->is_flat();
            made = std::move(one);
        } else {
            made = std::make_unique<posted_slices>(
                arena::of(levels), input, result, op,
                nodes.is_one ? 0 : posted_slices::parts_of(result, nodes.least_ranks));
            is_whole_start = nodes.is_one;
        }
        posts = made.get();
        running = std::move(made);
    }
    ~prepared_posts() override {
        if (running != nullptr) give_up(std::move(running), among.left); // before its hierarchy
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
    reserved_tags tags;
    posted_operation* posts = nullptr;
    posted_lanes* in_lanes = nullptr;
    sequence* steps = nullptr;
    std::unique_ptr<operation> in_node;
    std::unique_ptr<prepared> between;
};

TOPOMP_INLINE bool take_posts(const hierarchy& levels, const plan& blocking, const message& operands,
                              bool is_commutative) {
    if (exchange_of_nodes::of(levels, blocking, operands, is_commutative).is_one()) return true;
    const nodes_with_posts& nodes = nodes_with_posts::of(levels);
    return (nodes.is_one || (nodes.most_ranks > 1 && is_commutative)) &&
           (posted_all_reduce::takes(operands, nodes.most_ranks, nodes.is_one, nodes.is_oversubscribed) ||
            posted_slices::takes(operands, nodes.most_ranks, nodes.is_one));
}

TOPOMP_INLINE std::unique_ptr<prepared> prepare_posts(const hierarchy& levels, const plan& blocking,
                                                      const void* input, const message& result,
                                                      combination combiner, const char* call,
                                                      prepare_in_lane between) {
    const auto exchange = exchange_of_nodes::of(levels, blocking, result, combiner.is_commutative);
    std::unique_ptr<prepared_posts> made;
    try {
        made = std::make_unique<prepared_posts>(levels, exchange, input, result, combiner.op, call);
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
    try {
        if (made->in_lanes != nullptr) made->in_lanes->take_tags();
        if (const auto part = made->posts->own_part())
            made->go_on_with(nodes.is_one ? nullptr : between(*nodes.lane, *part));
    } catch (const usage_error&) {
        has_tags = false;
    }
    if (!nodes.is_one && !have_all(has_tags)) return nullptr;
    return made;
}

} // namespace topo::detail
