// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace topo::detail {

TOPOMP_INLINE void shared_pull::run(shared_room& room, copies copying, const pulled& call,
                                    const exposed& shows, std::span<const wanted> wishes) {
    if (call.bytes == 0) return; // on all ranks, and of some there may be no address
    const bool is_long = is_by_kernel(room, copying, call);
    room.begin();
    if (call.moving <= shared_room::post_bytes)
        in_posts(room, call.moving, shows, wishes);
    else if (is_long)
        across(room, shows.data, wishes);
    else
        in_chunks(room, call.moving, shows, wishes);
    room.end();
}

TOPOMP_INLINE bool shared_pull::is_by_kernel(shared_room& room, copies copying, const pulled& call) {
    if (call.block < call.by_kernel_from || copying == copies::in_chunks) return false;
    const double slowness = room.slowness_across();
    return copying == copies::by_kernel ? slowness < shared_reader::never : slowness <= call.copies;
}

TOPOMP_INLINE void shared_pull::push(shared_room& room, int root, std::byte* landing, std::size_t first,
                                     const exposed& mine) {
    room.begin();
    if (room.rank() == root) {
        show_address(room, landing);
        room.end();
        room.wait_until_done();
    } else {
        room.write(root, address_of(room, root) + first, mine.data, mine.bytes);
    }
    room.end();
}

TOPOMP_INLINE void shared_pull::in_posts(shared_room& room, std::size_t bytes, const exposed& shows,
                                         std::span<const wanted> wishes) {
    if (shows.data != nullptr) {
        fill(room.own_post(), shows, 0, std::min(bytes, shows.bytes));
        room.raise_post();
    }
    for (const wanted& wish : wishes)
        copy_shared(wish.to, room.wait_for_post(wish.from) + wish.place, wish.bytes);
}

TOPOMP_INLINE void shared_pull::across(shared_room& room, const std::byte* shows,
                                       std::span<const wanted> wishes) {
    if (shows != nullptr) show_address(room, shows);
    for (const wanted& wish : wishes)
        room.read(wish.from, address_of(room, wish.from) + wish.first, wish.to, wish.bytes);
    if (shows == nullptr) return;
    room.end(); // before it waits, because others wait for it, too
    room.wait_until_done();
}

TOPOMP_INLINE void shared_pull::show_address(shared_room& room, const std::byte* data) {
    const auto address = address_for_others(data);
    std::memcpy(room.own_post(), &address, sizeof address);
    room.raise_post();
}

TOPOMP_INLINE std::uint64_t shared_pull::address_of(shared_room& room, int rank) {
    std::uint64_t address = 0;
    std::memcpy(&address, room.wait_for_post(rank), sizeof address);
    return address;
}

TOPOMP_INLINE void shared_pull::in_chunks(shared_room& room, std::size_t bytes, const exposed& shows,
                                          std::span<const wanted> wishes) {
    const std::size_t piece_bytes = piece_of(bytes);
    for (std::size_t piece = 0, first = 0; first < bytes; ++piece, first += piece_bytes) {
        const std::size_t length = std::min(piece_bytes, bytes - first);
        if (shows.data != nullptr && first < shows.bytes) {
            fill(room.own_chunk(piece), shows, first, std::min(length, shows.bytes - first));
            room.raise(room.filled(room.rank()), room.now(piece + 1));
        }
        for (const wanted& wish : wishes)
            fetch(room, wish, piece, first, length);
        room.raise(room.taken(room.rank()), room.now(piece + 1));
    }
}

TOPOMP_INLINE void shared_pull::fill(std::byte* to, const exposed& shows, std::size_t first,
                                     std::size_t length) {
    const std::size_t begin = (shows.begin + first) % shows.bytes;
    const std::size_t before_end = std::min(length, shows.bytes - begin);
    copy_shared(to, shows.data + begin, before_end);
    if (before_end < length) copy_shared(to + before_end, shows.data, length - before_end);
}

TOPOMP_INLINE std::size_t shared_pull::piece_of(std::size_t bytes) {
    constexpr std::size_t parts = 4, least = 4096, line = 64;
    return std::clamp((bytes / parts + line - 1) / line * line, least, shared_room::chunk_bytes);
}

TOPOMP_INLINE void shared_pull::fetch(shared_room& room, const wanted& wish, std::size_t piece,
                                      std::size_t first, std::size_t length) {
    const std::size_t begin = std::max(first, wish.place);
    const std::size_t end = std::min(first + length, wish.place + wish.bytes);
    if (begin >= end) return;
    room.wait_for(wish.from, room.filled(wish.from), room.now(piece + 1));
    copy_shared(wish.to + (begin - wish.place), room.chunk_of(wish.from, piece) + (begin - first),
                end - begin);
}

} // namespace topo::detail
