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

TOPOMP_INLINE bool posted_all_reduce::takes(const message& operands, int ranks, bool is_all,
                                            bool is_oversubscribed) {
    const bool is_flat = is_all && ranks <= most_of_group;
    const std::size_t longest = !is_flat ? longest_in_groups
                                : is_oversubscribed
                                    ? shared_combine::whole_bytes_of(ranks)
                                    : std::min(shared_combine::whole_bytes_of(ranks), longest_of_start);
    const type_layout layout{operands.type};
    return layout.is_dense && operands.count <= longest && operands.count * layout.size <= longest;
}

TOPOMP_INLINE posted_all_reduce::posted_all_reduce(arena& memory, const void* input, const message& result,
                                                   MPI_Op op, bool is_all, int group)
    : bytes_(bytes_of(result)),
      bytes_of_post_(round_up(offsetof(signal, payload) + sizeof(futex_event) + bytes_, sizeof(signal))),
      rank_(memory.comm().rank()), size_(memory.comm().size()), group_(group),
      is_flat_(is_all && size_ <= group), input_(input), result_(result), op_(op) {
    while (posting(stages_) > 1)
        ++stages_;
    int posts = 0;
    for (int stage = 0; stage <= stages_; ++stage) {
        before_.push_back(posts);
        posts += posting(stage);
    }
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

TOPOMP_INLINE signal& posted_all_reduce::post(int stage, int number) const {
    const auto at = static_cast<std::size_t>(before_[static_cast<std::size_t>(stage)] + number);
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
    is_complete_ = false;
    put(0, input_);
    await_after(0);
}

TOPOMP_INLINE void posted_all_reduce::hand_out() {
    if (size_ > 1) put(stages_, result_.data);
}

TOPOMP_INLINE void posted_all_reduce::await_after(int stage) {
    if (is_flat_)
        awaited_ = {0, 0, size_};
    else if (const int first = number_at(stage); rank_ % width_of(stage + 1) == 0)
        awaited_ = {stage, first, std::min(first + group_, posting(stage))};
    else
        awaited_ = {stages_, 0, 1};
}

TOPOMP_INLINE bool posted_all_reduce::are_posted() const {
    for (int number = awaited_.first; number < awaited_.end; ++number)
        if (!is_posted(number)) return false;
    return true;
}

TOPOMP_INLINE bool posted_all_reduce::advance() {
    while (!is_complete_) {
        if (!are_posted()) return false;
        const bool is_result = awaited_.stage == stages_;
        charge_signals(static_cast<std::size_t>(awaited_.end - awaited_.first - (is_result ? 0 : 1)));
        if (is_result) {
            copy_shared(result_.data, operands(stages_, 0), bytes_);
            is_complete_ = true;
        } else {
            combine();
        }
    }
    return true;
}

TOPOMP_INLINE void posted_all_reduce::combine() {
    const auto [stage, first, end] = awaited_;
    const int next = stage + 1;
    is_complete_ = is_flat_ || next == stages_;
    void* const to = is_complete_ ? result_.data : operands(next, number_at(next));
    const auto operand_of = [this, stage = stage, first = first](int each) {
        charge_copy(bytes_);
        return operands(stage, first + each);
    };
    if (end - first == 1)
        copy_shared(to, operands(stage, first), bytes_);
    else if (bytes_ > 0)
        reduce_in_order(end - first, {to, result_.count, result_.type}, op_, operand_of);
    if (is_complete_) return;
    raise_and_wake(post(next, number_at(next)), round_, posts_.waits());
    await_after(next);
}

TOPOMP_INLINE void posted_all_reduce::await() {
    const waiting& waits = posts_.waits();
    if (!waits.sleeps()) return waits.until_raised([&] { return are_posted(); });
    for (int number = awaited_.first; number < awaited_.end; ++number)
        wait_asleep(waits, event_of(post(awaited_.stage, number)), [&] { return is_posted(number); });
}

} // namespace topo::detail
