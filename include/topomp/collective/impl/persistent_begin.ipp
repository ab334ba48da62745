// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/detail/arguments.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/detail/prepared_posts.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// Whether other messages go in place of the MPI's own form where that cannot do a call: the plan is
/// `plan_for_flat`, beside the engine.
constexpr bool has_plan_for_flat(verb what) {
    return what == verb::gather || what == verb::scatter || what == verb::all_gather ||
           what == verb::all_gatherv || what == verb::all_to_all || what == verb::reduce_scatter ||
           what == verb::scan;
}

/// The plan by which an engine moves the data, which is another one where the chosen one cannot.
template <algorithm Only, class Call>
plan plan_in_use(const plan& chosen, const Call& call) {
    if constexpr (may_be(Only, algorithm::flat) && has_plan_for_flat(Call::what))
        if (chosen.uses == algorithm::flat) return plan_for_flat(call);
    if constexpr (may_be(Only, algorithm::lanes) && Call::what == verb::reduce_scatter)
        if (chosen.uses == algorithm::lanes && !call.ranks.template attached<lane_orders>().has_tags())
            return {algorithm::tree, chosen.tree};
    return chosen;
}

/// Gets what operations of a plan need from other ranks, so that a start needs no communication for it.
/// @return the trees, of which `ranks` forgets those of many roots @collective over the whole
template <algorithm Only, class Arguments>
kept_trees make_ready(context& ranks, const plan& chosen, const Arguments& arguments) {
    kept_trees kept;
    if (chosen.uses == algorithm::flat) return kept;
    constexpr bool moves_blocks = Arguments::what == verb::gather || Arguments::what == verb::scatter ||
                                  Arguments::what == verb::gatherv || Arguments::what == verb::scatterv ||
                                  Arguments::what == verb::all_gather ||
                                  Arguments::what == verb::all_gatherv ||
                                  Arguments::what == verb::reduce_scatter;
    if constexpr (may_be(Only, algorithm::lanes) && serves(algorithm::lanes, Arguments::what)) {
        if (chosen.uses == algorithm::lanes) {
            const auto order = arguments.keeps_order() ? operand_order::of_ranks : operand_order::any;
            context& all = arguments.keeps_order() ? ranks.in_rank_order() : ranks;
            auto& layout = all.template attached<lane_layout>();
            if constexpr (moves_blocks) {
                auto& orders = all.template attached<lane_orders>();
                static_cast<void>(orders.rank_order());
                orders.trees_of(chosen.tree, order);
            } else if constexpr (Arguments::what == verb::broadcast) {
                kept.lanes = layout.trees_from(chosen.tree, arguments.root());
            } else {
                kept.lanes = layout.trees_to(chosen.tree, arguments.root(), order);
            }
        }
    }
    if (chosen.uses != algorithm::tree) static_cast<void>(ranks.order());
    if (chosen.uses != algorithm::tree && chosen.uses != algorithm::split_trees) return kept;
    const int root = arguments.root();
    const auto keep_edges = [&](const tree_plan& tree, operand_order order) {
        kept.edges.emplace(tree_key{tree.identity(), root, order},
                           ranks.for_operands(tree, order).edges_for(tree, root, order));
    };
    const auto order = arguments.keeps_order() ? operand_order::of_ranks : operand_order::any;
    keep_edges(chosen.tree, order);
    if (chosen.uses == algorithm::split_trees) keep_edges(chosen.second_tree, operand_order::any);
    if constexpr (moves_blocks) {
        keep_edges(chosen.tree, operand_order::any);
        kept.subtrees.emplace(tree_key{chosen.tree.identity(), root, operand_order::any},
                              ranks.subtree_for(chosen.tree, root));
    }
    return kept;
}

/// Runs an engine for a persistent form: always with the same operation.
struct again {
    using result = void;
    static constexpr bool waits = false;

    std::unique_ptr<operation>& running;
    void (*&give_back)(void*, std::unique_ptr<operation>);
    void*& pool;
    bool is_start; ///< otherwise the operation is only taken from its pool

    template <class Operation, class Start>
    void operator()(operation_pool<Operation>& from, Start start) const {
        if (running == nullptr) {
            running = from.take();
            give_back = &give_back_to_pool<Operation>;
            pool = &from;
        }
        if (is_start) start(static_cast<Operation&>(*running));
    }
};

template <algorithm Only, class Arguments>
struct prepared_call final : prepared {
    prepared_call(const hierarchy& on, const Arguments& with, const char* by_call, const plan& by_plan)
        : prepared(by_call, context::of(on).running()), levels(on), ranks(context::of(levels)),
          arguments(with), chosen(by_plan) {
        replaces_running = true;
        compared.are_of(levels);
        trees = make_ready<Only>(ranks, plan_in_use<Only>(chosen, arguments.call(levels, ranks)), arguments);
        // The lanes of large nodes would take too many for ever.
        if (chosen.uses != algorithm::lanes) tags = ranks.reserve_tags();
        go(false);
    }
    ~prepared_call() override {
        if (running != nullptr) give_back(pool, std::move(running));
    }

    void start() override {
        arguments.refresh(levels);
        if (running != nullptr && !running->is_idle()) [[unlikely]] { // its last start has failed
            keep_given_up(std::move(running), among.left);
            was_started = false;
        }
        // With tags of its own it has the same ones each time.
        if (was_started && tags.number > 0 && running->start_again()) return;
        tags.taken = 0;
        const context::start_of_one now{ranks, tags.number > 0 ? &tags : nullptr, &trees};
        go(true);
        was_started = true;
    }

    void let_go() noexcept override { const hierarchy left{std::move(levels)}; }

    void go(bool is_start) {
        start_by_plan<Only>(arguments.call(levels, ranks), chosen, again{running, give_back, pool, is_start});
    }

    hierarchy levels; ///< which keeps its communicators
    context& ranks;
    Arguments arguments;
    plan chosen;
    reserved_tags tags;
    kept_trees trees;
    bool was_started = false; ///< `running` keeps these arguments
    void (*give_back)(void*, std::unique_ptr<operation>) = nullptr;
    void* pool = nullptr;
};

inline std::unique_ptr<prepared> prepare_posts_of(const hierarchy& levels, const plan& blocking,
                                                  const barrier_arguments&, const char* call,
                                                  prepare_in_lane between) {
    return prepare_posts(levels, blocking, nullptr, {}, {MPI_OP_NULL, true}, call, between);
}
inline std::unique_ptr<prepared> prepare_posts_of(const hierarchy& levels, const plan& blocking,
                                                  const all_reduce_arguments& of, const char* call,
                                                  prepare_in_lane between) {
    return prepare_posts(levels, blocking, of.input, of.result, of.combiner, call, between);
}

inline std::size_t operand_bytes(const barrier_arguments&) { return 0; }
inline std::size_t operand_bytes(const all_reduce_arguments& of) { return bytes_of(of.result); }

inline barrier_arguments in_place(const barrier_arguments& all, const message&) { return all; }
inline all_reduce_arguments in_place(all_reduce_arguments all, const message& part) {
    all.input = part.data;
    all.result = part;
    return all;
}

/// A part of the result, among the ranks of a lane. @collective over the lane
template <class Arguments>
std::unique_ptr<prepared> prepare_between_nodes(const hierarchy& levels, const hierarchy& lane,
                                                const message& part, const Arguments& arguments,
                                                const char* call) {
    return std::make_unique<prepared_call<algorithm::any, Arguments>>(
        lane, in_place(arguments, part), call, choose_among_first(Arguments::what, levels, bytes_of(part)));
}

template <algorithm Only, class Arguments>
persistent when_started::go(const hierarchy& levels, const Arguments& arguments, const char* call,
                            const plan& chosen) {
    const in_flight::turn alone{in_flight::of(levels)};
    constexpr verb what = Arguments::what;
    if constexpr (Only == algorithm::any && (what == verb::all_reduce || what == verb::barrier)) {
        if (chosen.uses == algorithm::hierarchical) {
            const auto between = [&](const hierarchy& lane, const message& part) {
                return prepare_between_nodes(levels, lane, part, arguments, call);
            };
            if (auto made = prepare_posts_of(levels, chosen, arguments, call, between))
                return of(std::move(made));
            return go<Only>(levels, arguments, call,
                            choose_prepared(what, levels, operand_bytes(arguments), !arguments.keeps_order(),
                                            call_form::prepared));
        }
    }
    return of(std::make_unique<prepared_call<Only, Arguments>>(levels, arguments, call, chosen));
}

} // namespace topo::detail
