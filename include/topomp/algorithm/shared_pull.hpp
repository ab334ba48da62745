// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node that fetch what others show them.
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>

#include <cstddef>
#include <span>

namespace topo {

/// How long messages get from rank to rank inside a node.
enum class copies {
    fastest,   ///< by the kernel if that was found to be as fast as a copy of one's own, else through cells
    by_kernel, ///< straight out of the other process, where the kernel allows it
    in_chunks  ///< into cells of the shared memory and out of them
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
    static void run(shared_room& room, copies copying, const std::byte* shows, std::size_t bytes,
                    std::span<const wanted> wishes);

private:
    static bool reads_across(shared_room& room, copies copying);

    static void in_posts(shared_room& room, const std::byte* shows, std::size_t bytes,
                         std::span<const wanted> wishes);

    static void across(shared_room& room, const std::byte* shows, std::span<const wanted> wishes);

    static void in_chunks(shared_room& room, const std::byte* shows, std::size_t bytes,
                          std::span<const wanted> wishes);

    /// Parts of a short message, too, are filled and emptied at the same time.
    static std::size_t piece_of(std::size_t bytes);

    /// What of a wish is in a piece.
    static void fetch(shared_room& room, const wanted& wish, std::size_t piece, std::size_t first,
                      std::size_t length);
};

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/shared_pull.ipp>
#endif
