// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool posted_all_reduce::takes(const message& operands, int ranks, bool is_all) {
    const bool is_flat = is_all && ranks <= most_of_group;
    const std::size_t longest = is_flat ? shared_combine::whole_bytes_of(ranks) : longest_in_groups;
    const type_layout layout{operands.type};
    return layout.is_dense && operands.count <= longest && operands.count * layout.size <= longest;
}

TOPOMP_INLINE posted_all_reduce::posted_all_reduce(arena& memory, const void* input, const message& result,
                                                   MPI_Op op, bool is_all, int group)
    : bytes_(bytes_of(result)),
      bytes_of_post_(round_up(offsetof(signal, payload) + sizeof(futex_event) + bytes_, sizeof(signal))),
      rank_(memory.comm().rank()), size_(memory.comm().size()), group_(group),
      is_flat_(is_all && size_ <= group), input_(input), result_(result), op_(op) {
    looks_at_memory_ = true;
    while (posting(stages_) > 1)
        ++stages_;
    int posts = 0;
    for (int stage = 0; stage <= stages_; ++stage)
        posts += posting(stage);
    posts_ =
        memory.take(2 * static_cast<std::size_t>(posts) * bytes_of_post_, sizeof(signal), "topo::persistent");
    for (int stage = 0; stage <= stages_ && rank_ % width_of(stage) == 0; ++stage)
        std::fill_n(reinterpret_cast<std::byte*>(&post(stage, number_at(stage))), 2 * bytes_of_post_,
                    std::byte{});
    posts_.steps().barrier(posts_.waits());
}

TOPOMP_INLINE int posted_all_reduce::width_of(int stage) const {
    int ranks = 1;
    while (stage-- > 0)
        ranks *= group_;
    return ranks;
}

TOPOMP_INLINE int posted_all_reduce::posting(int stage) const {
    const int width = width_of(stage);
    return (size_ + width - 1) / width;
}

TOPOMP_INLINE int posted_all_reduce::number_at(int stage) const { return rank_ / width_of(stage); }

TOPOMP_INLINE bool posted_all_reduce::combines_at(int stage) const {
    return is_flat_ || rank_ % width_of(stage + 1) == 0;
}

TOPOMP_INLINE signal& posted_all_reduce::post(int stage, int number) const {
    auto at = static_cast<std::size_t>(number);
    while (stage-- > 0)
        at += static_cast<std::size_t>(posting(stage));
    return *reinterpret_cast<signal*>(posts_.data() + (2 * at + round_ % 2) * bytes_of_post_);
}

/// Behind the event in the signal's own bytes, and on in those that follow.
TOPOMP_INLINE std::byte* posted_all_reduce::operands(int stage, int number) const {
    return reinterpret_cast<std::byte*>(&post(stage, number)) + offsetof(signal, payload) +
           sizeof(futex_event);
}

TOPOMP_INLINE void posted_all_reduce::put(int stage, const void* data) {
    const int own = number_at(stage);
    copy_shared(operands(stage, own), data, bytes_);
    raise_and_wake(post(stage, own), round_, posts_.waits());
}

TOPOMP_INLINE void posted_all_reduce::start() {
    ++round_;
    stage_ = 0;
    is_complete_ = false;
    put(0, input_);
}

TOPOMP_INLINE void posted_all_reduce::hand_out() {
    if (size_ > 1) put(stages_, result_.data);
}

TOPOMP_INLINE posted_all_reduce::range posted_all_reduce::awaited() const {
    if (is_flat_) return {0, size_};
    if (waits_for_result()) return {0, 1};
    const int first = number_at(stage_);
    return {first, std::min(first + group_, posting(stage_))};
}

TOPOMP_INLINE bool posted_all_reduce::are_posted() const {
    const range all = awaited();
    for (int number = all.first; number < all.end; ++number)
        if (!is_posted(waits_for_result() ? stages_ : stage_, number)) return false;
    return true;
}

TOPOMP_INLINE bool posted_all_reduce::advance() {
    while (!is_complete_) {
        if (!are_posted()) return false;
        const range all = awaited();
        if (waits_for_result()) {
            charge_signals(1);
            copy_shared(result_.data, operands(stages_, 0), bytes_);
            is_complete_ = true;
        } else {
            charge_signals(static_cast<std::size_t>(all.end - all.first - 1));
            combine(all);
        }
    }
    return true;
}

TOPOMP_INLINE void posted_all_reduce::combine(const range& group) {
    const bool is_last = is_flat_ || stage_ + 1 == stages_;
    const int next = stage_ + 1;
    void* const to = is_last ? result_.data : operands(next, number_at(next));
    if (group.end - group.first == 1)
        copy_shared(to, operands(stage_, group.first), bytes_);
    else if (bytes_ > 0)
        reduce_in_order(group.end - group.first, {to, result_.count, result_.type}, op_, [&](int each) {
            charge_copy(bytes_);
            return operands(stage_, group.first + each);
        });
    if (!is_last) raise_and_wake(post(next, number_at(next)), round_, posts_.waits());
    stage_ = next;
    is_complete_ = is_last;
}

TOPOMP_INLINE void posted_all_reduce::await() {
    const waiting& waits = posts_.waits();
    if (!waits.sleeps()) return waits.until_raised([&] { return are_posted(); });
    const int stage = waits_for_result() ? stages_ : stage_;
    const range all = awaited();
    for (int number = all.first; number < all.end; ++number)
        wait_asleep(waits, event_of(post(stage, number)), [&] { return is_posted(stage, number); });
}

} // namespace topo::detail
