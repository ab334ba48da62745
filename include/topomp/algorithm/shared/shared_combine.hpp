// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks of a node that combine what all of them have.
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Combines everybody's operands, in the order of ranks, for one rank or for all.
///
/// A short message is combined by whoever wants the result. A long one goes in pieces, of which each rank
/// combines a slice straight out of everybody's cells, and whoever wants the result copies all slices. Where
/// one rank wants it, and they are two or have to take turns on cores, that one combines piece after piece.
/// Operands lie in the cells as in the caller's memory, gaps of their type included.
class shared_combine {
public:
    /// All own cells are two pieces.
    static constexpr std::size_t piece_bytes = shared_room::chunks * shared_room::chunk_bytes / 2;
    /// Up to so many bytes each rank combines all by itself rather than wait once more.
    static constexpr std::size_t whole_bytes = 4096;

    /// Whether the elements can be handled here: not if a single one fills the cells, or if they run
    /// backwards.
    static bool takes(const type_layout& layout);

    static constexpr int everybody = -1;

    /// @param root whose result it is; or `everybody` @param result used where there is one
    /// @collective over the ranks of the shared memory
    shared_combine(shared_room& room, const void* input, const message& result, MPI_Op op, int root);

    void run();

private:
    /// Where the first of some elements is, from where their bytes begin.
    std::byte* elements_at(std::byte* bytes) const { return bytes - layout_.true_lower; }
    const std::byte* input_bytes(std::size_t first) const;

    /// Own operands as they are in memory.
    void copy_in(std::byte* to, std::size_t first, std::size_t count) const;
    /// Gaps of the caller's elements stay as they are.
    void copy_out(std::byte* from, std::size_t first, std::size_t count);
    /// MPI's operations leave the result in the right operand. One of the two is another rank's.
    void combine(const void* left, void* right, std::size_t count) const;

    /// All of them into a rank's own memory, the last rank's first. @param bytes_of a rank's operands
    template <class BytesOf>
    void combine_here(BytesOf bytes_of) {
        const std::size_t count = result_.count;
        copy_out(bytes_of(room_.size() - 1), 0, count);
        for (int rank = room_.size() - 1; rank-- > 0;)
            combine(elements_at(bytes_of(rank)), result_.data, count);
    }

    void combine_posts();

    void combine_whole();

    /// A piece's operands of a rank.
    std::byte* operands(int rank, std::size_t piece) const;

    /// The same where pieces are cells.
    std::byte* chunk_of(int rank, std::size_t piece) const;

    struct range {
        std::size_t first = 0, count = 0;
    };
    /// The elements of a piece, and of these a rank's slice.
    range piece_at(std::size_t piece) const;
    range slice_in(const range& piece, int rank) const;
    /// @return the number of pieces of so many bytes
    std::size_t cut(std::size_t bytes);

    /// The others fill their cells, and the one whose result it is empties them: nobody waits for a slice.
    void combine_at_root();

    /// What others have written stays as it is, if it can: to get its lines back costs them a trip.
    void combine_chunks(std::size_t piece, const range& all);

    void combine_slices();

    /// In whose cells a rank's slice is combined: of the rank whose operands come first there, which is the
    /// last, unless these are the own ones.
    int place_of(int owner) const;

    /// Everything but the own slice, which nobody else looks at unless it is combined here.
    void fill(std::size_t piece);

    void combine_slice(std::size_t piece);

    void take_slices(std::size_t piece);

    shared_room& room_;
    type_layout layout_;
    const void* input_;
    message result_;
    MPI_Op op_;
    int root_;
    bool has_result_;
    bool is_commutative_ = false; ///< known for long messages
    std::size_t per_piece_ = 1;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_combine.ipp>
#endif
