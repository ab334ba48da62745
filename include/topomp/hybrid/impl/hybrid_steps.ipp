// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void group_barrier::start(context& all, int tag, std::span<const int> group, int number) {
    slots_.assign(2, MPI_REQUEST_NULL);
    all_ = &all;
    tag_ = tag;
    group_ = group;
    number_ = number;
    distance_ = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

TOPOMP_INLINE bool group_barrier::advance() {
    while (are_free(slots_, 0)) {
        if (distance_ >= group_.size()) {
            std::atomic_thread_fence(std::memory_order_seq_cst);
            return true;
        }
        const auto mine = static_cast<std::size_t>(number_);
        const int from = group_[(mine + group_.size() - distance_) % group_.size()],
                  to = group_[(mine + distance_) % group_.size()];
        mpi::check(MPI_Irecv(nullptr, 0, MPI_BYTE, from, tag_, all_->private_comm(), &slots_[0]), "MPI_Irecv",
                   "signal in a node");
        mpi::check(mpi::isend(nullptr, 0, MPI_BYTE, to, tag_, all_->private_comm(), &slots_[1]), "MPI_Isend",
                   "signal in a node");
        distance_ *= 2;
    }
    return false;
}

TOPOMP_INLINE hybrid_steps::hybrid_steps(const hierarchy& on, const window_view& view, const char* by_call)
    : prepared(by_call, context::of(on).running()), levels(on), ranks(context::of(levels)),
      groups(view.groups(levels)), window(view) {
    compared.are_of(levels);
    tags = ranks.reserve_tags();
    groups.all_ranks();
}

TOPOMP_INLINE void hybrid_steps::synchronise() {
    const int tag = tags.first + tags.taken++;
    parts.push_back([this, tag, kept = barrier]() -> operation* {
        kept->start(ranks, tag, groups.all_ranks().of(groups.group()), groups.number());
        return kept.get();
    });
}

TOPOMP_INLINE void hybrid_steps::act(std::function<void()> what) {
    parts.push_back([what = std::move(what)]() -> operation* {
        what();
        return nullptr;
    });
}

TOPOMP_INLINE void hybrid_steps::run(persistent part) {
    collectives.push_back(&when_started::of(part));
    parts.push_back([kept = std::make_shared<persistent>(std::move(part))]() -> operation* {
        prepared& one = when_started::of(*kept);
        one.start();
        return one.running.get();
    });
}

TOPOMP_INLINE void hybrid_steps::let_go() noexcept {
    for (prepared* const each : collectives)
        each->let_go();
    const hierarchy left{std::move(levels)};
}

} // namespace topo::detail
