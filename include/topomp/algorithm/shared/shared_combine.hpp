// SPDX-License-Identifier: BSL-1.0
/// @file
/// Reductions among the ranks of a node.
#pragma once

#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/shared_operands.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

/// Combines all ranks' operands, in rank order, for one rank or for all.
///
/// A short message is combined by each rank that receives the result. A long one is divided into pieces. Each
/// rank, of a shorter one only the first few, combines a slice of a piece directly out of all ranks' chunks,
/// and each rank that receives the result copies all slices. If one rank receives it, and the ranks are two
/// or oversubscribed, that rank combines piece after piece.
class shared_combine : shared_operands {
public:
    /// All own chunks are two pieces.
    static constexpr std::size_t piece_bytes = shared_room::chunks * shared_room::chunk_bytes / 2;
    /// Up to so many bytes each rank combines the whole message, which saves a wait. Of many ranks fewer: a
    /// rank that combines all reads the messages of all, and waits for as many signals if it combines a
    /// slice. (512 bytes of 24 ranks, simulated: 2.4 us whole, 1.4 in slices.)
    static constexpr std::size_t whole_bytes = shared_room::post_bytes;
    static constexpr std::size_t whole_bytes_of(int ranks) {
        constexpr std::size_t few = 4; // as fast either way at 4096 bytes
        const std::size_t times = (static_cast<std::size_t>(ranks) + few - 1) / few;
        return whole_bytes / (times * times);
    }
    /// Whether each rank that receives a message of so many bytes combines all of it.
    static constexpr bool is_whole(std::size_t bytes, int ranks, bool is_oversubscribed) {
        return bytes <=
               (is_oversubscribed ? whole_bytes : std::max(whole_bytes_of(ranks), signal::payload_bytes));
    }

    /// Whether this algorithm accepts the elements: not if a single one fills the chunks, or if they have a
    /// negative extent.
    static bool takes(const type_layout& layout);

    static constexpr int all_ranks = -1, no_rank = -2;

    /// Slices have at least so many bytes: processors fetch cache lines in pairs, and no two ranks write to
    /// one. (512 bytes of 16 ranks on 16 cores: all_reduce 6.8 us with 16 slices, 3.6 with 4.)
    static constexpr std::size_t least_slice = 128;
    static constexpr int slices_of(std::size_t bytes, int ranks) {
        return static_cast<int>(
            std::clamp<std::size_t>(bytes / least_slice, 1, static_cast<std::size_t>(ranks)));
    }

    /// @param root the rank that receives the result; or `all_ranks`, or `no_rank` @param result used on
    /// ranks that receive it
    /// @collective over the ranks of the shared memory
    shared_combine(shared_room& room, const void* input, const message& result, MPI_Op op, int root);

    void run();

    /// Begins to exchange a combined part of a message between nodes, in its place.
    using exchange = function_ref<started(const message&)>;

    /// The same in slices, whatever the length. Pieces are exchanged while others before and behind them are
    /// taken, filled and combined, unless the ranks are oversubscribed. @param between gets a rank's part of
    /// each piece, if it is not empty @param parts their number, one for each of the first ranks; if there
    /// are more ranks than these, parts are not slices
    void run_in_slices(const exchange& between, int parts);
    /// How many pieces are exchanged at a time.
    static constexpr std::size_t exchanged_depth = 2;
    /// In how many pieces, each of whole elements, a message is exchanged. A rank's chunks have space for
    /// these, one that is filled and one that is taken.
    static constexpr std::size_t exchanged_pieces(std::size_t count, std::size_t element_bytes = 1) {
        const std::size_t most = exchanged_bytes / element_bytes;
        return std::max<std::size_t>(1, (count + most - 1) / most);
    }

private:
    static constexpr std::size_t exchanged_places = exchanged_depth + 2;
    static constexpr std::size_t exchanged_bytes = 2 * piece_bytes / exchanged_places;

    void combine_posts();

    /// A piece's operands of a rank.
    std::byte* operands(int rank, std::size_t piece) const;

    /// The same if pieces are chunks.
    std::byte* chunk_of(int rank, std::size_t piece) const;

    /// The elements of a piece, and from its first on a rank's slice.
    block_range piece_at(std::size_t piece) const;
    block_range slice_in(const block_range& piece, int rank) const {
        return rank < slices_ ? part_of(piece, rank, slices_) : block_range{};
    }
    static block_range part_of(const block_range& piece, int number, int parts) {
        return block_range{0, piece.length()}.part(number, parts);
    }
    /// @return the number of pieces of so many bytes
    std::size_t cut(std::size_t bytes);

    /// The others fill their chunks, and the rank that receives the result reads them: no rank waits for a
    /// slice.
    void combine_at_root();

    /// Other ranks' memory is not written if possible: otherwise they would have to fetch its cache lines
    /// again.
    void combine_chunks(std::size_t piece, const block_range& all);

    void combine_slices();

    void exchange_pieces(std::size_t pieces);
    /// Begins to exchange the own part of a combined piece. @return nothing where there is none
    started start_exchange(std::size_t piece);
    /// Waits for its end, and raises the signal for the node's ranks.
    void end_exchange(std::size_t piece, started& exchanged);

    /// The rank in whose chunks a slice is combined: the last rank, whose operands come first there, unless
    /// these are the own ones.
    int place_of(int owner) const;

    /// Everything but the own slice, which no other rank reads unless it is combined here.
    void fill(std::size_t piece);

    /// In the place of operands that another rank has written: a third place would be one more line to fetch
    /// from that rank, which has read it last. (All_reduce of 2 MiB on two ranks: 104 us, with a third 121.)
    void combine_slice(std::size_t piece);

    void take_slices(std::size_t piece);

    int root_;
    int slices_; ///< as many ranks, the first, combine one
    bool has_result_;
    bool is_commutative_ = false; ///< known for long messages
    std::size_t per_piece_ = 1;
    const exchange* between_ = nullptr; ///< of `run_in_slices`
    int parts_ = 0;                     ///< for it
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_combine.ipp>
#endif
