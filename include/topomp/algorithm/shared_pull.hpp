// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node that copy data which other ranks expose.
#pragma once

#include <cstddef>
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

/// A call in which some ranks expose equally many bytes, and ranks copy ranges of them.
///
/// Few bytes are in the cache line of the signal itself. More go through chunks, piece by piece, so that one
/// rank fills the next chunk while others read the last. Long messages are copied once, directly out of the
/// memory of the exposing rank, if the kernel allows it. A rank that exposes bytes through its line or chunks
/// does not wait for the others.
class shared_pull {
public:
    /// @param shows null: nothing @param bytes that each exposing rank exposes, the same on all ranks
    /// @param wishes the ranges that this rank reads, none of its own
    /// @collective over the ranks of the shared memory
    static void run(shared_room& room, copies copying, const std::byte* shows, std::size_t bytes,
                    std::span<const wanted> wishes);

private:
    static bool reads_across(shared_room& room, copies copying);

    static void in_posts(shared_room& room, const std::byte* shows, std::size_t bytes,
                         std::span<const wanted> wishes);

    static void across(shared_room& room, const std::byte* shows, std::span<const wanted> wishes);

    static void in_chunks(shared_room& room, const std::byte* shows, std::size_t bytes,
                          std::span<const wanted> wishes);

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
