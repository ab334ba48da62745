// SPDX-License-Identifier: BSL-1.0
/// @file
/// Longer all_reduces among several nodes that are started again and again.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/posted_between_nodes.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signal.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

/// As `rounds_in_lanes`, in memory of its own, so that a start waits for no other rank: each rank combines a
/// slice of each piece in place, the ranks that have a lane exchange a part each, and all copy the parts. Two
/// pieces are exchanged while others are copied and combined.
///
/// Pieces are counted over all calls, and take the places of the memory in turn. A rank fills a place only
/// when all ranks have filled the one before, and when it has itself taken the third before that. So all
/// ranks have taken what was in the place, and a start, which fills the first one, waits for no other rank.
class posted_lanes final : public posted_between_nodes {
public:
    /// @param operands of a commutative operation
    static bool takes(const message& operands);

    /// @param memory of the calling rank's node @param result may hold the operands @pre `takes`
    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_lanes(arena& memory, lanes_of_slices& lanes, const void* input, const message& result, MPI_Op op);
    TOPOMP_INLINE ~posted_lanes() override;

    /// Of the exchanges of the calling rank, after all have memory. @collective over each lane
    /// @throws usage_error if a lane has none left, on its ranks
    void take_tags();

    TOPOMP_INLINE void start() override;

private:
    static constexpr std::size_t depth = shared_combine::exchanged_depth;
    static constexpr std::size_t most_places = depth + 2;

    /// The steps of a piece, and of the one that is `depth` before it. Behind the last piece only those of
    /// the latter.
    enum class step { combine, end_exchange, all_combined, take, next };

    /// A message in pieces of whole elements, as those of the blocking form, and the memory for these.
    struct sizes {
        sizes(const message& operands, int ranks);

        std::size_t element, pieces, per_piece, places = 0, place = 0, all = 0;
    };

    /// An exchange of a part in a place, started again with the same arguments.
    struct exchange {
        std::unique_ptr<operation> running;
        void (*give_back)(void*, std::unique_ptr<operation>) = nullptr;
        void* pool = nullptr;
        bool was_started = false, is_under_way = false;
    };

    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;
    TOPOMP_INLINE void let_go() noexcept override;

    bool has_piece() const { return piece_ < at_.pieces; }
    bool has_earlier() const { return piece_ >= depth; }
    bool exchanges() const { return number_ < lanes_.lanes(); }
    bool are_parts_slices() const { return lanes_.lanes() == size_; }

    signal::value_type value_of(std::size_t piece) const { return before_ + piece + 1; }
    std::size_t place_at(std::size_t piece) const { return (before_ + piece) % at_.places; }
    signal_row row(int which) const {
        return {memory_.data() + static_cast<std::size_t>(which * size_) * sizeof(signal), size_};
    }
    signal_row filled() const { return row(0); }
    signal_row combined() const { return row(1); }
    signal_row exchanged() const { return {row(2).first, lanes_.lanes()}; }
    std::byte* operands(int rank, std::size_t piece) const;
    /// The rank in whose operands a slice is combined, the last, unless these are the own ones.
    int place_of(int owner) const { return owner == size_ - 1 && are_parts_slices() ? size_ - 2 : size_ - 1; }

    block_range piece_at(std::size_t piece) const;
    /// Of a piece, from its first element on.
    block_range slice_of(std::size_t piece, int number) const {
        return block_range{0, piece_at(piece).length()}.part(number, size_);
    }
    block_range part_of(std::size_t piece, int number) const {
        return block_range{0, piece_at(piece).length()}.part(number, lanes_.lanes());
    }
    std::size_t bytes_of(std::size_t elements) const { return elements * at_.element; }

    /// Waits for what a step needs. @return false: the step has nothing to do
    bool begin_step();
    bool has_come() const;
    void end_step();

    void fill(std::size_t piece);
    void combine(std::size_t piece);
    exchange& exchange_at(std::size_t piece);
    void start_exchange(std::size_t piece);
    /// Advances the exchanges for which the rank does not wait now.
    void go_on_with_others();
    void take(std::size_t piece);
    void await_messages_of_all();

    lanes_of_slices& lanes_;
    int number_, size_;
    const sizes at_;
    const void* input_;
    message result_;
    MPI_Op op_;
    std::array<reserved_tags, depth> tags_;
    std::array<exchange, 2 * most_places>
        exchanges_;                     ///< by place, those of a shorter last piece behind the others
    std::vector<MPI_Request> requests_; ///< of all exchanges
    signal::value_type before_ = 0;     ///< pieces of earlier calls
    std::size_t piece_ = 0;
    step step_ = step::next;
    bool is_complete_ = true;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_lanes.ipp>
#endif
