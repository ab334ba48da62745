// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node that copy data which other ranks expose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace topo {

/// How long messages are copied from rank to rank inside a node.
enum class copies {
    fastest,   ///< by the kernel if that was measured to be as fast as the process's own copy, else through
               ///< chunks
    by_kernel, ///< directly out of the other process's memory, if the kernel allows it
    in_chunks  ///< into chunks of the shared memory and out of them
};

namespace detail {

class shared_room;
struct wanted;

/// From so many bytes on, one copy by the kernel can be faster than two by the ranks.
inline constexpr std::size_t read_across_from = std::size_t{32} << 10;

/// What a rank exposes.
struct exposed {
    const std::byte* data = nullptr; ///< null: nothing
    std::size_t bytes = 0;
    std::size_t begin = 0; ///< the byte that moves first; behind the last one follows the first
};

/// The parameters of a call that are the same on all ranks.
struct pulled {
    std::size_t bytes;          ///< the most that a rank exposes
    std::size_t block = bytes;  ///< the most that a rank copies out of another one's
    std::size_t moving = bytes; ///< the most that a rank moves through its chunks
    /// How many copies of a block follow each other through chunks. One copy by the kernel takes their place
    /// if it is faster. A broadcast: messages are cut so that two ranks copy at the same time, so that two
    /// copies take little longer than one.
    double copies = 1.25;
    std::size_t by_kernel_from = read_across_from; ///< blocks of fewer bytes never
};

/// A call in which some ranks expose bytes, and ranks copy ranges of them.
///
/// Few bytes are in the cache lines of the signal itself and behind it. More go through chunks, piece by
/// piece, so that one rank fills the next chunk while others read the last. Long blocks are copied once,
/// directly out of the memory of the exposing rank, if the kernel allows it. A rank that exposes bytes
/// through its line or chunks does not wait for the others.
class shared_pull {
public:
    /// @param call the same on all ranks @param wishes the ranges that this rank reads, none of its own
    /// @collective over the ranks of the shared memory
    static void run(shared_room& room, copies copying, const pulled& call, const exposed& shows,
                    std::span<const wanted> wishes);

    /// Whether blocks had better be copied by the kernel. The same on all ranks.
    /// @collective over the ranks of the shared memory the first time
    static bool is_by_kernel(shared_room& room, copies copying, const pulled& call);

    /// The reverse, by the kernel: each other rank writes its bytes into the memory of one, all at the same
    /// time. @param landing on that rank, where byte 0 goes @param first where this rank's bytes go
    /// @pre `is_by_kernel`
    static void push(shared_room& room, int root, std::byte* landing, std::size_t first, const exposed& mine);

private:
    static void in_posts(shared_room& room, std::size_t bytes, const exposed& shows,
                         std::span<const wanted> wishes);

    static void across(shared_room& room, const std::byte* shows, std::span<const wanted> wishes);
    static void show_address(shared_room& room, const std::byte* data);
    static std::uint64_t address_of(shared_room& room, int rank);

    static void in_chunks(shared_room& room, std::size_t bytes, const exposed& shows,
                          std::span<const wanted> wishes);
    /// Copies a range, counted from the byte that moves first.
    static void fill(std::byte* to, const exposed& shows, std::size_t first, std::size_t length);

    /// A short message, too, is divided so that its pieces are filled and read at the same time.
    static std::size_t piece_of(std::size_t bytes);

    /// The part of a requested range that lies in a piece.
    static void fetch(shared_room& room, const wanted& wish, std::size_t piece, std::size_t first,
                      std::size_t length);
};

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/shared_pull.ipp>
#endif
