// SPDX-License-Identifier: BSL-1.0
/// @file
/// All_reduce on a circulant graph, in the least number of rounds with the least data.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// A reduce_scatter and an all_gather of ceil(log2 p) rounds each for any number p of ranks, in which a rank
/// sends (p - 1) / p of the message: no fewer rounds and no fewer bytes are possible.
///
/// A rank has partial results of `s` blocks, its own one first, then those of the ranks behind it: at first
/// of all. In a round it sends the second half of them to the rank whose block is the first of this half, and
/// combines what it receives with the first half. Then `s` is half as large, rounded up. When a rank has its
/// own block alone, which is complete, the rounds run backwards, and blocks are received in place of those
/// that were sent.
///
///     5 ranks, blocks of rank 0:   01234 -> 012 -> 01 -> 0 -> 01 -> 012 -> 01234
///
/// Of p that is no power of two other algorithms make the next smaller one first. The operation must be
/// commutative. Each block is combined on one rank, in the order of rounds, so that all ranks have the same
/// bits.
/// @see J. L. Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms (2024)
class circulant_all_reduce final : public operation {
public:
    /// @param piece_bytes a message as long as two of these is cut, so that combining one piece overlaps with
    /// the transfer of the next @pre `combiner` is commutative
    void start(context& ranks, const void* input, const message& result, combination combiner,
               std::size_t piece_bytes);

private:
    /// Elements of the message that lie one behind the other, and where they land.
    struct piece {
        std::size_t first = 0;
        int count = 0;
        std::size_t landing = 0; ///< in elements
    };

    TOPOMP_INLINE bool advance() override;

    void begin_round();
    /// Combines the pieces that have arrived.
    void combine_arrived();

    /// Appends pieces of so many blocks, of which the last one may be followed by the first one of the
    /// message.
    void append_pieces(int first_block, int blocks, std::vector<piece>& to) const;
    std::size_t first_of(int block) const;

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0, rank_ = 0, size_ = 1;
    MPI_Op op_ = MPI_OP_NULL;
    const void* input_ = nullptr;
    message result_;
    type_layout layout_;
    std::size_t piece_bytes_ = 0;
    std::vector<int> halves_; ///< blocks of a rank before each round
    std::size_t round_ = 0;   ///< so many have begun, of twice as many as there are halves
    std::vector<piece> received_, sent_;
    std::vector<char> is_combined_; ///< by place in `received_`
    scratch_buffer landing_, temporary_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/circulant_all_reduce.ipp>
#endif
