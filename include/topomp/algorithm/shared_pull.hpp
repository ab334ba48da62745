// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node that fetch what others show them.
#pragma once

#include <topomp/algorithm/shared_room.hpp>
#include <topomp/memory/signal.hpp>
#include <topomp/memory/simulated.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace topo {

/// How long messages get from rank to rank inside a node.
enum class copies {
    fastest,   ///< by the kernel if that was found to be as fast as a copy of one's own, else through cells
    by_kernel, ///< straight out of the other process, where the kernel allows it
    in_cells   ///< into cells of the shared memory and out of them
};

namespace detail {

/// From so many bytes on, one copy by the kernel can be faster than two by the ranks.
inline constexpr std::size_t read_across_from = std::size_t{32} << 10;

/// A call in which some ranks show bytes, as many each, and ranks fetch parts of them.
///
/// Few bytes travel in the line of the signal itself; more through cells, piece by piece, so that one rank
/// fills the next while others empty the last; many are copied once, straight out of the rank that shows
/// them, where the kernel allows it. A rank that shows bytes through its line or cells does not wait for the
/// others.
class shared_pull {
public:
    /// @param shows null: nothing @param bytes that each rank that shows any shows, the same on all ranks
    /// @param wishes of this rank, none of itself
    /// @collective over the ranks of the room
    static void run(shared_room& room, copies how, const std::byte* shows, std::size_t bytes,
                    std::span<const wanted> wishes) {
        if (bytes == 0) return; // on all ranks, and of some there may be no address
        room.begin();
        if (bytes <= signal::payload_bytes)
            in_posts(room, shows, bytes, wishes);
        else if (bytes >= read_across_from && reads_across(room, how))
            across(room, shows, wishes);
        else
            in_cells(room, shows, bytes, wishes);
        room.end();
    }

private:
    static bool reads_across(shared_room& room, copies how) {
        return how == copies::by_kernel ? room.reads_across() : how == copies::fastest && room.reads_fast();
    }

    static void in_posts(shared_room& room, const std::byte* shows, std::size_t bytes,
                         std::span<const wanted> wishes) {
        if (shows != nullptr) {
            signal& line = room.own_post();
            copy_shared(line.payload, shows, bytes);
            room.raise(line, room.now(1));
        }
        for (const wanted& wish : wishes)
            copy_shared(wish.to, room.wait_for_post(wish.from).payload + wish.first, wish.bytes);
    }

    static void across(shared_room& room, const std::byte* shows, std::span<const wanted> wishes) {
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
        room.end(); // before it waits: others wait for it, too
        room.wait_until_done();
    }

    static void in_cells(shared_room& room, const std::byte* shows, std::size_t bytes,
                         std::span<const wanted> wishes) {
        const std::size_t piece_bytes = piece_of(bytes);
        for (std::size_t piece = 0, first = 0; first < bytes; ++piece, first += piece_bytes) {
            const std::size_t length = std::min(piece_bytes, bytes - first);
            if (shows != nullptr) {
                copy_shared(room.own_cell(piece), shows + first, length);
                room.raise(room.filled(room.rank()), room.now(piece + 1));
            }
            for (const wanted& wish : wishes)
                fetch(room, wish, piece, first, length);
            room.raise(room.taken(room.rank()), room.now(piece + 1));
        }
    }

    /// Parts of a short message, too, are filled and emptied at the same time.
    static std::size_t piece_of(std::size_t bytes) {
        constexpr std::size_t parts = 4, least = 4096, line = 64;
        return std::clamp((bytes / parts + line - 1) / line * line, least, shared_room::cell_bytes);
    }

    /// What of a wish is in a piece.
    static void fetch(shared_room& room, const wanted& wish, std::size_t piece, std::size_t first,
                      std::size_t length) {
        const std::size_t begin = std::max(first, wish.first);
        const std::size_t end = std::min(first + length, wish.first + wish.bytes);
        if (begin >= end) return;
        room.wait_for(wish.from, room.filled(wish.from), room.now(piece + 1));
        copy_shared(wish.to + (begin - wish.first), room.cell_of(wish.from, piece) + (begin - first),
                    end - begin);
    }
};

} // namespace detail
} // namespace topo
