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

TOPOMP_INLINE bool posted_all_reduce::takes(const message& operands, int ranks) {
    const std::size_t longest = shared_combine::whole_bytes_of(ranks);
    const type_layout layout{operands.type};
    return layout.is_dense && operands.count <= longest && operands.count * layout.size <= longest;
}

TOPOMP_INLINE posted_all_reduce::posted_all_reduce(arena& memory, const void* input, const message& result,
                                                   MPI_Op op)
    : bytes_(bytes_of(result)),
      bytes_of_post_(round_up(offsetof(signal, payload) + sizeof(futex_event) + bytes_, sizeof(signal))),
      rank_(static_cast<std::size_t>(memory.comm().rank())),
      size_(static_cast<std::size_t>(memory.comm().size())),
      posts_(memory.take(2 * size_ * bytes_of_post_, sizeof(signal), "topo::persistent")), input_(input),
      result_(result), op_(op) {
    looks_at_memory_ = true;
    std::fill_n(reinterpret_cast<std::byte*>(&post_of(rank_)), 2 * bytes_of_post_, std::byte{});
    posts_.steps().barrier(posts_.waits());
}

TOPOMP_INLINE signal& posted_all_reduce::post_of(std::size_t rank) const {
    return *reinterpret_cast<signal*>(posts_.data() + (2 * rank + round_ % 2) * bytes_of_post_);
}

/// Behind the event in the signal's own bytes, and on in those that follow.
TOPOMP_INLINE std::byte* posted_all_reduce::operands_of(std::size_t rank) const {
    return reinterpret_cast<std::byte*>(&post_of(rank)) + offsetof(signal, payload) + sizeof(futex_event);
}

TOPOMP_INLINE void posted_all_reduce::start() {
    ++round_;
    is_complete_ = false;
    copy_shared(operands_of(rank_), input_, bytes_);
    raise_and_wake(post_of(rank_), round_, posts_.waits());
}

TOPOMP_INLINE bool posted_all_reduce::advance() {
    if (is_complete_) return true;
    if (!have_all_posted()) return false;
    charge_signals(size_ - 1);
    if (size_ == 1)
        copy_shared(result_.data, operands_of(0), bytes_);
    else if (bytes_ > 0)
        reduce_in_order(static_cast<int>(size_), result_, op_, [&](int rank) {
            charge_copy(bytes_);
            return operands_of(static_cast<std::size_t>(rank));
        });
    return is_complete_ = true;
}

TOPOMP_INLINE void posted_all_reduce::await() {
    const waiting& waits = posts_.waits();
    if (!waits.sleeps()) return waits.until_raised([&] { return have_all_posted(); });
    for (std::size_t other = 0; other < size_; ++other)
        wait_asleep(waits, event_of(post_of(other)), [&] { return has_posted(other); });
}

TOPOMP_INLINE bool posted_all_reduce::have_all_posted() const {
    for (std::size_t other = 0; other < size_; ++other)
        if (!has_posted(other)) return false;
    return true;
}

} // namespace topo::detail
