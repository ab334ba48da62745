// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared/shared_steps.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE std::byte* bytes_to_show(shared_room& room, const message& what, const type_layout& layout) {
    if (layout.is_dense) return static_cast<std::byte*>(what.data);
    room.own_copy().reserve(what.count * layout.size);
    pack(what, layout, room.own_copy().data());
    return room.own_copy().data();
}

TOPOMP_INLINE void shared_broadcast(shared_room& room, copies copying, const message& what, int root) {
    const type_layout layout{what.type};
    const std::size_t bytes = what.count * layout.size;
    if (room.rank() == root)
        return shared_pull::run(room, copying, {bytes}, {bytes_to_show(room, what, layout), bytes}, {});
    const bool is_direct = layout.is_dense;
    if (!is_direct) room.own_copy().reserve(bytes);
    std::byte* const to = is_direct ? static_cast<std::byte*>(what.data) : room.own_copy().data();
    const std::array wish{wanted{root, 0, bytes, to}};
    room.waits_for_one(bytes);
    shared_pull::run(room, copying, {bytes}, {}, wish);
    if (!is_direct) unpack(to, what, layout);
}

TOPOMP_INLINE int shared_fan(const shared_room& room) {
    constexpr auto most_flat = static_cast<int>(signals::most_flat);
    return room.size() <= most_flat ? most_flat : static_cast<int>(signals::tree_children);
}

TOPOMP_INLINE void shared_arrival(shared_room& room) {
    const int fan = shared_fan(room), first = room.rank() * fan + 1;
    for (int child = first; child < std::min(first + fan, room.size()); ++child)
        room.wait_for(child, room.filled(child), room.now(1));
    room.raise(room.filled(room.rank()), room.now(1));
}

TOPOMP_INLINE void shared_release(shared_room& room) {
    if (const int parent = (room.rank() - 1) / shared_fan(room); room.rank() > 0)
        room.wait_for(parent, room.reduced(parent), room.now(1));
    room.raise(room.reduced(room.rank()), room.now(1));
}

TOPOMP_INLINE void shared_barrier(shared_room& room) {
    if (room.size() <= static_cast<int>(signals::most_flat)) {
        room.raise(room.filled(room.rank()), room.now(1));
        return room.wait_for_all(&shared_room::filled, room.now(1));
    }
    shared_arrival(room);
    shared_release(room);
}

} // namespace topo::detail
