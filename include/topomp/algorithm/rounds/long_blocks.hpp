// SPDX-License-Identifier: BSL-1.0
/// @file
/// The long ones among blocks of different lengths, from rank to rank.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

/// Blocks of at least so many bytes, directly to near and far ranks in turn; both ends know each length. Each
/// rank has a few sends under way and some more receives, so that no receiver is flooded. It starts the next
/// ones independently of other ranks, so that few long blocks among many ranks do not wait for others.
class direct_blocks final : public operation {
public:
    void start(context& ranks, std::size_t from_bytes, int tag, const blocks& source, const blocks& result);

    /// From now on it sends too, and not only awaits.
    void send() noexcept { is_sending_ = true; }

    /// Whether this rank has none to send or to receive.
    bool is_empty() const noexcept { return to_.empty() && from_.empty(); }

private:
    /// So many are sent at a time, and awaited.
    static constexpr std::size_t window = 8, most_awaited = 64;

    TOPOMP_INLINE bool advance() override;
    bool await_more();
    bool send_more();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    blocks source_, result_;
    type_layout layout_{MPI_BYTE}, result_layout_{MPI_BYTE};
    std::vector<int> to_, from_; ///< ranks
    std::vector<incoming_block> in_{most_awaited};
    std::vector<outgoing_block> out_{window};
    std::size_t sent_ = 0, awaited_ = 0, received_ = 0; ///< of `to_`; of `from_`; complete
    bool is_sending_ = false;
    std::vector<MPI_Request> going_; ///< while slots move
    std::size_t in_slots_ = 0;       ///< the first slots are those of blocks awaited
};

/// The long blocks of one call: awaited while the others are routed, sent after these, which would wait
/// behind them on the links, and with them all ranks of a node.
class long_blocks {
public:
    long_blocks(context& ranks, std::size_t from_bytes, const blocks& source, const blocks& result);
    long_blocks(const long_blocks&) = delete;
    long_blocks& operator=(const long_blocks&) = delete;
    ~long_blocks();

    /// Sends them, and waits for all.
    void finish();

private:
    context& ranks_;
    std::unique_ptr<direct_blocks> running_; ///< null: there are none here
};

/// An all_to_allv among the ranks of a node, through its memory. Long blocks the kernel copies; where it must
/// not, they are messages. @pre `node.works()`
void exchange_in_node(context& ranks, shared_blocks& node, const blocks& source, const blocks& result);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/long_blocks.ipp>
#endif
