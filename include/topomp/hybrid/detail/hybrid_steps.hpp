// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid verbs that do not wait: steps one after the other.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// A barrier of the ranks of a group by messages: dissemination.
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
    hybrid_steps(const hierarchy& on, const window_view& view, const char* by_call);
    ~hybrid_steps() override {
        if (running != nullptr) give_up(std::move(running), among.left); // which needs the members
    }

    /// A barrier of the group's ranks.
    void synchronise();
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
            const context::start_of_one now{ranks, &own};
            start(*kept);
            return kept.get();
        });
    }
    /// After the last step. One that is given up keeps its tags, too: messages with these may still come.
    void close() {
        running = std::make_unique<sequence>(std::move(parts), [this, held = tags.held] { let_go(); });
    }
    void start() override { static_cast<sequence&>(*running).start(); }
    TOPOMP_INLINE void let_go() noexcept override;

    hierarchy levels; ///< which keeps its communicators
    context& ranks;
    copy_groups& groups;
    window_view window;
    reserved_tags tags;
    std::vector<sequence::part> parts;
    std::vector<prepared*> collectives; ///< among the parts
    std::shared_ptr<group_barrier> barrier = std::make_shared<group_barrier>();
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/hybrid_steps.ipp>
#endif
