// SPDX-License-Identifier: BSL-1.0
/// @file
/// Broadcast and reduce in pieces on a circulant graph.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// An operation whose ranks receive one piece and send one in each round, in the order of rounds.
///
/// If one round is under way at a time, sends are synchronous, and each message has the links of its sender
/// and its receiver alone. If several are, a piece is sent when it is complete, whatever else is still
/// awaited: for ranks that seldom look, as those that compute or have no core of their own.
class circulant_operation : public operation {
protected:
    /// Begins the rounds around a root. @param what the count and type of the whole message
    /// @param takes_in_order whether `arrived` is called in the order of rounds, as sums that are the same
    /// each time require
    void begin(context& ranks, const message& what, int root, std::size_t piece_bytes, bool takes_in_order,
               std::size_t under_way);

    std::size_t piece_count(std::size_t piece) const { return static_cast<std::size_t>(cut_.length(piece)); }
    void* element(void* data, std::size_t piece) const { return layout_.element(data, cut_.first(piece)); }
    const void* element(const void* data, std::size_t piece) const {
        return layout_.element(data, cut_.first(piece));
    }

    void receive(void* to, std::size_t piece, int from, std::size_t round);
    void send(const void* from, std::size_t piece, int to, std::size_t round);

    /// Rounds that are under way at a time.
    std::size_t window() const { return window_; }

    circulant_schedule schedule_;
    segments cut_;
    type_layout layout_;
    MPI_Datatype type_ = MPI_BYTE;

private:
    virtual void post_receive(std::size_t round) = 0;
    virtual void arrived(std::size_t round) = 0;
    /// @return false if the piece that is sent in this round is not complete
    virtual bool post_send(std::size_t round) = 0;

    TOPOMP_INLINE bool advance() final;

    /// The number of a rank whose number in the schedule is known.
    int rank_of(int number) const { return number < size_ - root_ ? number + root_ : number + root_ - size_; }

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0, root_ = 0, size_ = 1;
    std::size_t window_ = 1;
    bool takes_in_order_ = false;
    std::size_t posted_ = 0, arrived_ = 0, sent_ = 0; ///< so many rounds
    std::vector<char> is_noted_;                      ///< by place in the window: `arrived` was called
};

/// In the least number of rounds.
class circulant_broadcast final : public circulant_operation {
public:
    /// @param piece_bytes of a piece, see `segments`
    void start(context& ranks, const message& what, int root, std::size_t piece_bytes, std::size_t under_way);

private:
    TOPOMP_INLINE void post_receive(std::size_t round) override;
    TOPOMP_INLINE void arrived(std::size_t round) override;
    TOPOMP_INLINE bool post_send(std::size_t round) override;

    message what_;
    std::vector<char> has_; ///< by piece
};

/// The rounds of the broadcast backwards: a rank sends what it has combined to the rank that would have sent
/// it the piece.
class circulant_reduce final : public circulant_operation {
public:
    /// @param result the root's; elsewhere its count and type @pre `combiner` is commutative
    void start(context& ranks, const void* input, const message& result, combination combiner, int root,
               std::size_t piece_bytes, std::size_t under_way);

private:
    TOPOMP_INLINE void post_receive(std::size_t round) override;
    TOPOMP_INLINE void arrived(std::size_t round) override;
    TOPOMP_INLINE bool post_send(std::size_t round) override;

    /// The step of the broadcast that is done in a round.
    circulant_schedule::step step_of(std::size_t round) const {
        return schedule_.at(schedule_.rounds() - 1 - round);
    }
    void* landing(std::size_t round) const;

    const void* input_ = nullptr;
    message result_; ///< where the calling rank combines
    MPI_Op op_ = MPI_OP_NULL;
    std::size_t landing_bytes_ = 0;
    std::vector<int> awaited_;    ///< by piece: operands that have not arrived
    std::vector<char> is_summed_; ///< by piece: something is in `result_`
    scratch_buffer work_, landings_, temporary_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/circulant_operations.ipp>
#endif
