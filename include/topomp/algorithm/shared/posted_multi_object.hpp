// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short all_reduces among several nodes that are started again and again.
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/multi_object_nodes.hpp>
#include <topomp/algorithm/shared/posted_between_nodes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signal.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <optional>

namespace topo::detail {

/// As `multi_object`, in memory of its own, so that a start waits for no other rank: every node exchanges its
/// sum with every other in one step, by its carriers. Each rank combines short operands whole; of longer ones
/// it combines a slice. Carriers send the slices from where they lie, while the other ranks wait for what the
/// carriers receive.
///
/// All memory is there twice, for every other call, as in `posted_all_reduce`. Without operands it is a
/// barrier.
class posted_multi_object final : public posted_between_nodes {
public:
    /// Whether the nodes exchange operands in one step. The same on all ranks.
    static bool takes(const multi_object_nodes& nodes, const message& operands);

    /// @param memory of the calling rank's node @param comm, tag for its messages, the same tag on all ranks
    /// @param result may hold the operands @pre `takes`, and the operation is commutative
    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_multi_object(arena& memory, const multi_object_nodes& nodes, MPI_Comm comm, int tag,
                        const void* input, const message& result, MPI_Op op);

    TOPOMP_INLINE void start() override;

private:
    enum class stage { operands, slices, messages, received, none };
    /// Bytes, and where parts of a call's memory begin.
    struct sizes {
        sizes(const multi_object_nodes& nodes, const message& operands, bool is_oversubscribed);

        std::size_t operands, slot;
        int slices; ///< 0: each rank combines whole operands
        std::size_t post, received;
        std::size_t slices_at, received_at, sum_at, all;
    };

    TOPOMP_INLINE bool advance() override;

    bool is_carrier() const { return number_ < nodes_.carriers(); }
    std::byte* round_memory() const { return memory_.data() + round_ % 2 * at_.all; }
    /// A rank's operands, a slice of the sum, what a carrier has received: behind a signal.
    signal_row operands() const { return {round_memory(), size_, at_.post}; }
    signal_row slices() const { return {round_memory() + at_.slices_at, at_.slices}; }
    signal_row received() const {
        return {round_memory() + at_.received_at, nodes_.carriers(), at_.received};
    }
    static std::byte* behind(signal& post);
    std::byte* shared_sum() const { return round_memory() + at_.sum_at; }
    /// What has come from a node so many nodes away.
    std::byte* slot(int away) const;
    block_range slice_of(int number) const;

    void await_stage(stage next);
    void await_slices();
    void combine();
    void exchange();
    void finish();

    const multi_object_nodes& nodes_;
    int number_, size_;
    const sizes at_;
    std::size_t size_of_element_;
    MPI_Comm comm_;
    int tag_;
    const void* input_;
    message result_;
    MPI_Op op_;
    scratch_buffer own_sum_; ///< the node's, of a rank that has combined all
    signal::value_type round_ = 0;
    stage stage_ = stage::none;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_multi_object.ipp>
#endif
