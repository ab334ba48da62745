// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/column_sums.hpp>
#include <topomp/algorithm/exact/shared_exact.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

template <class T>
shared_room* shared_exact<T>::room_of(const hierarchy& levels, context& ranks) {
    if (levels.whole_size() == 1 || may_cross_nodes(levels.whole_info())) return nullptr;
    static_cast<void>(ranks.node_memory());
    level_members* const all = ranks.attached<level_rooms>().of_all(0).room.get();
    if (all == nullptr) return nullptr;
    auto& room = all->attached<shared_room>();
    return room.works() ? &room : nullptr;
}

template <class T>
void shared_exact<T>::run() {
    room_.begin();
    room_.own_all_chunks();
    const std::size_t steps = (call_.count + piece - 1) / piece;
    if (steps > 0) fill(0);
    for (std::size_t step = 0; step < steps; ++step) {
        room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
        const auto [begin, end] = slice(step, room_.rank());
        charge_copy((end - begin) * sizeof(T) * static_cast<std::size_t>(room_.size()));
        column_sums(
            [&, first = begin](std::size_t rank) { return operands(static_cast<int>(rank), step) + first; },
            static_cast<std::size_t>(room_.size()), end - begin, chunk(room_.rank(), step) + begin);
        room_.raise(room_.reduced(room_.rank()), room_.now(step + 1));
        room_.wait_for_all(&shared_room::reduced, room_.now(step + 1));
        // The other half of the chunks is free: a rank that has added this piece has taken the last one.
        if (step + 1 < steps) fill(step + 1);
        take(step);
    }
    room_.end();
}

template <class T>
std::size_t shared_exact<T>::length(std::size_t step) const {
    return std::min(piece, call_.count - step * piece);
}

template <class T>
T* shared_exact<T>::chunk(int rank, std::size_t step) const {
    return reinterpret_cast<T*>(room_.data_of(rank)) + step % 2 * piece;
}

template <class T>
const T* shared_exact<T>::operands(int rank, std::size_t step) const {
    return rank == room_.rank() ? call_.input + step * piece : chunk(rank, step);
}

/// Everything but the own slice, which no other rank reads.
template <class T>
void shared_exact<T>::fill(std::size_t step) {
    const auto [begin, end] = slice(step, room_.rank());
    const T* const from = call_.input + step * piece;
    T* const to = chunk(room_.rank(), step);
    copy_shared(to, from, begin * sizeof(T));
    copy_shared(to + end, from + end, (length(step) - end) * sizeof(T));
    room_.raise(room_.filled(room_.rank()), room_.now(step + 1));
}

template <class T>
void shared_exact<T>::take(std::size_t step) {
    const auto& to = call_.receivers;
    if (!to.empty() && !std::ranges::binary_search(to, room_.rank())) return;
    for (int rank = 0; rank < room_.size(); ++rank) {
        const auto [begin, end] = slice(step, rank);
        copy_shared(call_.result + step * piece + begin, chunk(rank, step) + begin,
                    (end - begin) * sizeof(T));
    }
}

} // namespace topo::detail
