// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid verbs that do not wait: steps one after the other.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::detail {

/// Prepares a collective that is one of several steps. Ranks start it when they come to it, so it is never
/// one of the MPI's own, which have to start in the same order everywhere: trees in their place.
struct as_step : when_started {
    template <verb Verb, class Policy>
    static plan choose(const hierarchy& levels, std::size_t bytes, bool is_commutative,
                       const call_facts& facts) {
        const plan chosen = when_started::choose<Verb, Policy>(levels, bytes, is_commutative, facts);
        if (chosen.uses == algorithm::flat) return {algorithm::tree, tree_plan_of<binomial>};
        return chosen;
    }
};

/// The ranks of a group tell each other that they are here, by messages: dissemination.
class group_barrier final : public operation {
public:
    void start(context& all, int tag, std::span<const int> group, int number);

private:
    TOPOMP_INLINE bool advance() override;

    context* all_ = nullptr;
    std::span<const int> group_;
    int tag_ = 0, number_ = 0;
    std::size_t distance_ = 1;
};

/// A hybrid verb as steps. Where the blocking verb waits in shared memory, the ranks of a group exchange
/// empty messages, for which MPI can wait together with others.
struct hybrid_steps final : prepared {
    /// @collective over the whole the first time for each window
    hybrid_steps(const hierarchy& levels, const window_view& view, const char* by_call);

    /// The ranks of the group meet.
    void meet();
    void act(std::function<void()> what);
    /// A collective that is a part of this one.
    void run(persistent part);
    /// An operation that takes one tag when it starts: the same in all groups, which meet as often as they
    /// need.
    template <class Operation, class Start>
    void run_one(Start start) {
        auto kept = std::make_shared<Operation>();
        fixed_tags own{tags.first + tags.number - 1, 1, 0};
        parts.push_back([this, kept, own, start]() mutable -> operation* {
            ranks.take_tags_from(&own);
            start(*kept);
            ranks.take_tags_from(nullptr);
            return kept.get();
        });
    }
    /// After the last step. @return this, as the form wants it
    template <class Form>
    static typename Form::result finish(std::unique_ptr<hybrid_steps> made) {
        made->close();
        if constexpr (std::is_same_v<Form, when_started>) {
            return when_started::of(std::move(made));
        } else {
            std::shared_ptr<hybrid_steps> kept{std::move(made)};
            kept->start();
            auto first = std::move(kept->running);
            auto& others = kept->among;
            return in_background::of(others, std::move(first), std::move(kept));
        }
    }

    void close() { running = std::make_unique<sequence>(std::move(parts)); }
    void start() override { static_cast<sequence&>(*running).start(); }

    hierarchy tree; ///< which keeps its communicators
    context& ranks;
    copy_groups& groups;
    window_view window;
    fixed_tags tags;
    std::vector<sequence::part> parts;
    group_barrier barrier;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/hybrid_steps.ipp>
#endif
