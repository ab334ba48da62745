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

#include <cstddef>
#include <optional>

namespace topo::detail {

/// Each rank puts its operands into memory of its own, so that a start waits for no other rank. Each of the
/// first ranks then combines a slice of all ranks' operands, and every rank copies the slices of the sum.
/// Where there are other nodes, each of the first few ranks exchanges a part of the sum with these, and every
/// rank copies the parts.
///
/// All memory is there twice, for every other call, as in `posted_all_reduce`. Nothing is divided into
/// pieces, for which ranks would have to wait.
class posted_slices final : public posted_operation {
public:
    /// Longer operands do not stay in the caches; pieces of them do.
    static constexpr std::size_t longest = std::size_t{256} << 10;
    /// The operands of a node have no more bytes.
    static constexpr std::size_t most_of_node = std::size_t{4} << 20;

    /// Whether operands lie as in an array of bytes, and are short enough. @param ranks of the node
    static bool takes(const message& operands, int ranks);

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
    /// What a rank waits for: operands of all, the sum's slices, or the result's parts.
    enum class stage { operands, sum, result, none };

    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;

    /// So many signals of a stage.
    int number_of(stage which) const;
    signal& signal_of(stage which, int number) const;
    std::byte* operands_of(int rank) const;
    std::byte* sum() const { return operands_of(size_); }
    bool is_raised(int number) const { return signal_of(awaited_, number).value() >= round_; }
    bool are_raised() const;

    /// The elements of a rank's slice or part.
    block_range slice_of(int rank) const { return range_of(rank, slices_); }
    block_range part_of(int rank) const { return range_of(rank, parts_); }
    block_range range_of(int rank, int ranges) const {
        return rank < ranges ? block_range{0, result_.count}.part(rank, ranges) : block_range{};
    }
    /// The bytes before an element.
    std::size_t bytes_before(std::size_t element) const { return element * size_of_element_; }
    std::byte* result_at(std::size_t element) const {
        return static_cast<std::byte*>(result_.data) + bytes_before(element);
    }
    /// Whether a rank exchanges what it combines.
    bool are_parts_slices() const { return parts_ == slices_; }

    void raise(stage which, int number);
    void combine();
    /// Copies a range of the sum or the result, or all but that.
    void take(const block_range& range);
    void take_others(const block_range& range);
    /// What follows once the calling rank has done its part for the sum.
    stage after_slice() const;

    std::size_t size_of_element_, bytes_, bytes_of_place_;
    int rank_, size_, slices_, parts_;
    std::size_t bytes_of_round_;
    arena::block memory_;
    const void* input_;
    message result_;
    MPI_Op op_;
    signal::value_type round_ = 0;
    stage awaited_ = stage::none;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_slices.ipp>
#endif
