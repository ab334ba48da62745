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

/// A reduce_scatter and an all_gather of ceil(log_K p) rounds each for any number p of ranks, in which a rank
/// sends (p - 1) / p of the message: with K - 1 messages in a round, no fewer rounds and no fewer bytes are
/// possible.
///
/// A rank has partial results of `s` blocks, its own one first, then those of the ranks behind it: at first
/// of all. In a round it cuts them into K parts, the first ones of s / K blocks, rounded up. It sends each
/// part but the first to the rank whose block is the first of that part, and combines what it receives with
/// the first part, which is what it then has. When this is its own block alone, which is complete, the rounds
/// run backwards, and blocks are received in place of those that were sent.
///
///     5 ranks, K = 2, blocks of rank 0:   01234 -> 012 -> 01 -> 0 -> 01 -> 012 -> 01234
///
/// Where p has not the factors that other algorithms need, these make it smaller first. The operation must be
/// commutative. Each block is combined on one rank in a fixed order, so that all ranks have the same bits
/// each time.
/// @see J. L. Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms (2024), for K = 2
class circulant_all_reduce final : public operation {
public:
    /// @param radix K
    /// @param piece_bytes longer messages are cut, so that combining one piece overlaps with the transfer of
    /// the next @pre `combiner` is commutative
    void start(context& ranks, const void* input, const message& result, combination combiner, int radix,
               std::size_t piece_bytes);

private:
    /// Elements of the message that lie one behind the other.
    struct piece {
        std::size_t first = 0;
        int count = 0;
        int peer = 0;
    };

    TOPOMP_INLINE bool advance() override;

    void begin_round();
    /// Combines the pieces that have arrived, in their order.
    void combine_arrived();

    /// Appends the pieces of so many blocks from one on, of which the last one may be followed by the first
    /// one of the message.
    void append_pieces(int first_block, int blocks, int peer, std::vector<piece>& to) const;
    std::size_t first_of(int block) const;
    /// Where a piece lands whose elements come behind so many others.
    void* landing(std::size_t elements) const {
        return layout_.element(landing_.data() - layout_.true_lower, elements);
    }

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0, rank_ = 0, size_ = 1;
    MPI_Op op_ = MPI_OP_NULL;
    const void* input_ = nullptr;
    message result_;
    type_layout layout_;
    std::size_t piece_bytes_ = 0;
    std::vector<int> blocks_; ///< of a rank before each round of the reduce_scatter, and after the last one
    std::size_t round_ = 0;   ///< so many of both directions have begun
    std::vector<piece> received_, sent_;
    std::size_t combined_ = 0; ///< so many of `received_`
    std::size_t landed_ = 0;   ///< elements of these
    scratch_buffer landing_, temporary_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/circulant_all_reduce.ipp>
#endif
