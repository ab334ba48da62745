// SPDX-License-Identifier: BSL-1.0
/// @file
/// The long ones among blocks of different lengths, from rank to rank.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

/// Blocks of at least so many bytes, which both ends know. All are awaited from the beginning, so that a rank
/// waits only for its own: few long blocks among many ranks would otherwise wait for those of others. They
/// are sent a few at a time, to near and far ranks in turn.
class direct_blocks final : public operation {
public:
    void start(context& ranks, std::size_t from_bytes, int tag, const blocks& source, const blocks& result);

    /// Whether this rank has none to send or to receive.
    bool is_empty() const noexcept { return to_.empty() && in_.empty(); }

private:
    /// So many are sent at a time.
    static constexpr std::size_t window = 8;

    TOPOMP_INLINE bool advance() override;

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    blocks source_;
    type_layout layout_{MPI_BYTE};
    std::vector<int> to_; ///< ranks
    std::vector<incoming_block> in_;
    std::vector<outgoing_block> out_{window};
    std::size_t sent_ = 0, awaited_ = 0;
    bool is_finished_ = false;
};

/// The long blocks of one call, under way while the others are routed.
class long_blocks {
public:
    long_blocks(context& ranks, std::size_t from_bytes, const blocks& source, const blocks& result);
    long_blocks(const long_blocks&) = delete;
    long_blocks& operator=(const long_blocks&) = delete;
    ~long_blocks();

    /// Waits for all of them.
    void finish();

private:
    context& ranks_;
    std::unique_ptr<direct_blocks> running_; ///< null: there are none here
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/long_blocks.ipp>
#endif
