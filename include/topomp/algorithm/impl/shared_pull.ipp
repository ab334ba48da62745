// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/shared_pull.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace topo::detail {

TOPOMP_INLINE void shared_pull::run(shared_room& room, copies copying, const std::byte* shows,
                                    std::size_t bytes, std::span<const wanted> wishes) {
    if (bytes == 0) return; // on all ranks, and of some there may be no address
    room.begin();
    if (bytes <= signal::payload_bytes)
        in_posts(room, shows, bytes, wishes);
    else if (bytes >= read_across_from && reads_across(room, copying))
        across(room, shows, wishes);
    else
        in_chunks(room, shows, bytes, wishes);
    room.end();
}

TOPOMP_INLINE bool shared_pull::reads_across(shared_room& room, copies copying) {
    return copying == copies::by_kernel ? room.reads_across()
                                        : copying == copies::fastest && room.reads_fast();
}

TOPOMP_INLINE void shared_pull::in_posts(shared_room& room, const std::byte* shows, std::size_t bytes,
                                         std::span<const wanted> wishes) {
    if (shows != nullptr) {
        signal& line = room.own_post();
        copy_shared(line.payload, shows, bytes);
        room.raise(line, room.now(1));
    }
    for (const wanted& wish : wishes)
        copy_shared(wish.to, room.wait_for_post(wish.from).payload + wish.first, wish.bytes);
}

TOPOMP_INLINE void shared_pull::across(shared_room& room, const std::byte* shows,
                                       std::span<const wanted> wishes) {
    if (shows != nullptr) {
        signal& line = room.own_post();
        const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(shows));
        std::memcpy(line.payload, &address, sizeof address);
        room.raise(line, room.now(1));
    }
    for (const wanted& wish : wishes) {
        std::uint64_t address = 0;
        std::memcpy(&address, room.wait_for_post(wish.from).payload, sizeof address);
        room.read(wish.from, address + wish.first, wish.to, wish.bytes);
    }
    if (shows == nullptr) return;
    room.end(); // before it waits, because others wait for it, too
    room.wait_until_done();
}

TOPOMP_INLINE void shared_pull::in_chunks(shared_room& room, const std::byte* shows, std::size_t bytes,
                                          std::span<const wanted> wishes) {
    const std::size_t piece_bytes = piece_of(bytes);
    for (std::size_t piece = 0, first = 0; first < bytes; ++piece, first += piece_bytes) {
        const std::size_t length = std::min(piece_bytes, bytes - first);
        if (shows != nullptr) {
            copy_shared(room.own_chunk(piece), shows + first, length);
            room.raise(room.filled(room.rank()), room.now(piece + 1));
        }
        for (const wanted& wish : wishes)
            fetch(room, wish, piece, first, length);
        room.raise(room.taken(room.rank()), room.now(piece + 1));
    }
}

TOPOMP_INLINE std::size_t shared_pull::piece_of(std::size_t bytes) {
    constexpr std::size_t parts = 4, least = 4096, line = 64;
    return std::clamp((bytes / parts + line - 1) / line * line, least, shared_room::chunk_bytes);
}

TOPOMP_INLINE void shared_pull::fetch(shared_room& room, const wanted& wish, std::size_t piece,
                                      std::size_t first, std::size_t length) {
    const std::size_t begin = std::max(first, wish.first);
    const std::size_t end = std::min(first + length, wish.first + wish.bytes);
    if (begin >= end) return;
    room.wait_for(wish.from, room.filled(wish.from), room.now(piece + 1));
    copy_shared(wish.to + (begin - wish.first), room.chunk_of(wish.from, piece) + (begin - first),
                end - begin);
}

} // namespace topo::detail
