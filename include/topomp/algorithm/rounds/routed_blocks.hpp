// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths from each rank to each rank, in few messages, over other ranks.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/block_route.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace topo::detail {

/// The blocks of one all_to_allv along a route. A message has the blocks that move between two ranks in a
/// round, each with its source, its target and its length, so that a rank can pass on blocks of which
/// neither end is itself; empty blocks are in no message. The receiver awaits the first `longest_part` bytes
/// of a message, which say how much follows.
///
/// Between nodes a message is sent if there are blocks: each rank sends the carrier with its first blocks
/// a list of the nodes from which it awaits blocks.
class routed_blocks final : public operation {
public:
    /// @param shorter_than only blocks of fewer bytes; the others go from rank to rank, `long_blocks`
    void start(context& ranks, const block_route& route, std::size_t shorter_than, const blocks& source,
               const blocks& result);

private:
    static constexpr std::size_t longest_part = std::size_t{16} << 10;
    static constexpr int no_rank = -1; ///< the source of a note that blocks of a node are awaited

    struct header {
        std::int32_t source = 0, target = 0;
        std::uint32_t bytes = 0;
    };
    struct parcel {
        header what;
        const std::byte* data = nullptr;
    };
    /// A message that arrives: its first part, and what follows.
    struct arrival {
        int from = 0;
        std::size_t buffer = 0; ///< of `arrived_`
    };

    TOPOMP_INLINE bool advance() override;

    void pack_own(context& ranks, std::size_t shorter_than, const blocks& source);
    void note_awaited(std::size_t shorter_than);

    void begin_round();
    void send_round(const block_route::round& now);
    void receive_rests();
    void take_in();
    void deliver(const header& what, const std::byte* data);

    scratch_buffer& new_buffer(std::size_t bytes);

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0, rank_ = 0;
    const block_route* route_ = nullptr;
    blocks result_;
    type_layout result_layout_{MPI_BYTE};
    std::vector<parcel> parcels_; ///< what this rank has that is for others
    scratch_buffer own_, going_, temporary_;
    std::vector<scratch_buffer> arrived_;
    std::size_t used_ = 0;  ///< of `arrived_`
    std::size_t sends_ = 0; ///< so many slots are of messages of this rank, the others of messages to it
    std::vector<arrival> arrivals_;
    std::vector<int> next_; ///< of each parcel, in this round
    std::vector<bool> is_awaited_;
    std::vector<std::uint64_t> message_bytes_, message_begin_, message_end_; ///< of those of this round
    std::size_t round_ = 0;
    bool has_rests_ = false, is_started_ = false;
    std::string problem_; ///< the first one
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/routed_blocks.ipp>
#endif
