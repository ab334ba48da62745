// SPDX-License-Identifier: BSL-1.0
/// @file
/// Short all_reduces in one node that are started again and again.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Each rank puts its operands behind a signal of its own, and combines those of all ranks, in rank order,
/// when it has seen all signals. So a start waits for nobody.
///
/// A rank has two signals, for every other call. When it starts a call, all ranks have read what it wrote two
/// calls ago, because all have started the last one since.
class posted_all_reduce final : public operation {
public:
    static constexpr std::size_t most_ranks = signals::most_flat; ///< each reads the signals of all

    /// Whether operands are so short that each rank combines all of them, as in `shared_combine`, and lie as
    /// in an array of bytes.
    static bool takes(const message& operands, int ranks);

    /// @param memory of all ranks @param result may hold the operands
    /// @collective over `memory` @throws system_error, on every rank, if it has not enough bytes left
    posted_all_reduce(arena& memory, const void* input, const message& result, MPI_Op op);

    /// Local
    void start();

private:
    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;

    signal& post_of(std::size_t rank) const;
    bool has_posted(std::size_t rank) const { return post_of(rank).value() >= round_; }
    bool have_all_posted() const;
    std::byte* operands_of(std::size_t rank) const;

    std::size_t bytes_, bytes_of_post_, rank_, size_;
    arena::block posts_;
    const void* input_;
    message result_;
    MPI_Op op_;
    signal::value_type round_ = 0;
    bool is_complete_ = true;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/posted_all_reduce.ipp>
#endif
