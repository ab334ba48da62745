// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short all_reduces in one node that are started again and again.
#pragma once

#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace topo::detail {

/// Each rank puts its operands behind a signal of its own, which is a post, so that a start waits for no
/// other rank. If there are few ranks, each then combines all operands, in rank order. Of more ranks, the
/// first of each group combines those of its group, and posts the sum for the first of the next larger group,
/// up to rank 0, which posts the result.
///
/// ```
///   stage 0    0  1 ... 15    16 17 ... 31    32 33      34 ranks, a post of each
///   stage 1    0              16              32         sums of groups
///   stage 2    0                                         the result
/// ```
///
/// Each post is there twice, for every other call. When a rank starts a call, it has completed the last one,
/// for which all ranks had to post. So all ranks have read what was posted in the call before that.
class posted_all_reduce final : public posted_operation {
public:
    /// So many ranks of a group. Each reads the posts of all if there is one group.
    static constexpr int most_of_group = signals::most_flat;
    /// Longer operands are not worth that one rank combines those of a group.
    static constexpr std::size_t longest_in_groups = 512;

    /// A start that writes more takes longer than one that sends the first message. (4 KiB between two ranks
    /// of Zen 3: 0.37 and 0.19 us; in slices, whose start writes nothing, the call takes as long.)
    /// Oversubscribed ranks write more, for they wait once only. (4 KiB of four ranks on two cores: 4.6
    /// to 6.5 us, in slices 6.3 to 7.3.)
    static constexpr std::size_t longest_of_start = 2048;

    /// Whether operands lie as in an array of bytes, and are so short that one rank may combine those of a
    /// group, or all ranks those of the only group. @param ranks of the node @param is_all whether there are
    /// no others
    static bool takes(const message& operands, int ranks, bool is_all, bool is_oversubscribed);

    /// @param memory of all ranks @param result may hold the operands @param is_all whether rank 0 does
    /// nothing with the sum before it is the result @param group most ranks of one
    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_all_reduce(arena& memory, const void* input, const message& result, MPI_Op op, bool is_all,
                      int group = most_of_group);

    /// Whether each rank reads what all have posted, so that no other rank waits for what follows a start.
    bool is_flat() const noexcept { return is_flat_; }

    TOPOMP_INLINE void start() override;
    std::optional<message> own_part() const override {
        return rank_ == 0 && !is_flat_ ? std::optional{result_} : std::nullopt;
    }
    TOPOMP_INLINE void hand_out() override;

private:
    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;

    /// So many ranks have one post at a stage.
    int width_of(int stage) const;
    /// How many posts there are.
    int posting(int stage) const;
    /// The calling rank's number among them.
    int number_at(int stage) const;

    signal& post(int stage, int number) const;
    std::byte* operands(int stage, int number) const;
    void put(int stage, const void* data);
    bool is_posted(int number) const { return post(awaited_.stage, number).value() >= round_; }
    bool are_posted() const;

    /// Finds out what the calling rank awaits after it has posted at a stage: a group, or the result.
    void await_after(int stage);
    /// Combines the group that was awaited, to the result or for the next stage.
    void combine();

    std::size_t bytes_, bytes_of_post_;
    int rank_, size_, group_, stages_ = 1;
    bool is_flat_;
    std::vector<int> before_; ///< posts of earlier stages
    arena::block posts_;
    const void* input_;
    message result_;
    MPI_Op op_;
    signal::value_type round_ = 0;
    struct {
        int stage, first, end;
    } awaited_{}; ///< posts
    bool is_complete_ = true;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_all_reduce.ipp>
#endif
