// SPDX-License-Identifier: BSL-1.0
/// @file
/// Longer all_reduces in one node that are started again and again.
#pragma once

#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signal.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace topo::detail {

/// Each rank puts its operands into memory of its own, so that a start waits for no other rank. Each of the
/// first ranks then combines a slice of all ranks' operands, and every rank copies the slices of the sum.
/// Where there are other nodes, each of the first few ranks exchanges a part of the sum with these, and every
/// rank copies the parts.
///
/// All memory is there twice, for every other piece. In one node a message is cut into pieces, which stay in
/// the caches. The others wait for the slices of a rank, so that it puts its first piece there only when it
/// waits, too: its start copies nothing. Where there are other nodes, a message is one piece.
class posted_slices final : public posted_operation {
public:
    /// Longer pieces do not stay in the caches. (128 KiB in one node, as in `shared_combine`.)
    static constexpr std::size_t longest = std::size_t{256} << 10, longest_of_several = longest / 2;
    /// The operands of a node in a piece have no more bytes.
    static constexpr std::size_t most_of_node = std::size_t{4} << 20;

    /// Whether operands lie as in an array of bytes, and are short enough. @param ranks of the node @param
    /// is_one whether there are no other nodes
    static bool takes(const message& operands, int ranks, bool is_one);

    /// A part has at least so many bytes, if there are several. (4 KiB on ten nodes of 24, simulated: 9.5 us
    /// with parts of 1 KiB, 10.7 with 2, 10.8 whole.)
    static constexpr std::size_t least_part = 1024;
    /// Into how many parts a result is divided. @param ranks of the smallest node
    static int parts_of(const message& result, int ranks);

    /// @param memory of all ranks @param result may hold the operands @param parts 0: there are no other
    /// nodes, and operands are combined in rank order; else the operation is commutative
    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_slices(arena& memory, const void* input, const message& result, MPI_Op op, int parts);

    TOPOMP_INLINE void start() override;
    TOPOMP_INLINE std::optional<message> own_part() const override;
    TOPOMP_INLINE void hand_out() override;

private:
    /// What a rank waits for: nothing before its first piece, then operands of all, the sum's slices, or the
    /// result's parts.
    enum class stage { begin, operands, sum, result, none };

    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;

    /// So many signals of a stage.
    int number_of(stage which) const;
    signal& signal_of(stage which, int number, signal::value_type piece) const;
    std::byte* operands_of(int rank, signal::value_type piece) const;
    std::byte* sum() const { return operands_of(size_, piece_); } ///< if there is one
    bool is_raised(int number) const { return signal_of(awaited_, number, piece_).value() >= piece_; }
    bool are_raised() const;

    std::size_t pieces() const {
        return std::max<std::size_t>(1, (result_.count + per_piece_ - 1) / per_piece_);
    }
    /// The elements of a piece.
    block_range elements_of(signal::value_type piece) const;
    /// The elements of a rank's slice or part in a piece, from the piece's first one on.
    block_range slice_in(const block_range& piece, int rank) const { return range_in(piece, rank, slices_); }
    block_range part_in(const block_range& piece) const { return range_in(piece, rank_, parts_); }
    static block_range range_in(const block_range& piece, int rank, int ranges) {
        return rank < ranges ? block_range{0, piece.length()}.part(rank, ranges) : block_range{};
    }
    /// Among whose operands the sum of a rank's slice is, in one node: those of the last rank. The last
    /// rank's are at another one's, if the operation is commutative.
    int place_of(int owner) const { return owner == size_ - 1 && is_commutative_ ? size_ - 2 : size_ - 1; }
    bool has_sum() const { return parts_ > 0 || size_ == 1; }
    /// The bytes before an element.
    std::size_t bytes_before(std::size_t element) const { return element * size_of_element_; }
    const std::byte* input_at(std::size_t element) const {
        return static_cast<const std::byte*>(input_) + bytes_before(element);
    }
    std::byte* result_at(std::size_t element) const {
        return static_cast<std::byte*>(result_.data) + bytes_before(element);
    }
    /// Whether a rank exchanges what it combines.
    bool are_parts_slices() const { return parts_ == slices_; }

    void raise(stage which, int number, signal::value_type piece);
    void post(signal::value_type piece);
    stage after_post() const { return rank_ < slices_ ? stage::operands : after_slice(); }
    void combine();
    void take_slices();
    /// Copies a range of the sum or the result, or all but that.
    void take(const block_range& range);
    void take_others(const block_range& range);
    /// What follows once the calling rank has done its part for the sum.
    stage after_slice() const;

    std::size_t size_of_element_, per_piece_, bytes_of_place_;
    int rank_, size_, slices_ = 1, parts_;
    bool is_commutative_;
    std::size_t bytes_of_piece_;
    arena::block memory_;
    const void* input_;
    message result_;
    MPI_Op op_;
    signal::value_type piece_ = 0, last_ = 0; ///< numbered from 1 on, on from start to start
    stage awaited_ = stage::none;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_slices.ipp>
#endif
