// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block from each rank to each rank.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace topo::detail {

/// Each step exchanges with the ranks a distance ahead and behind in hierarchy order, so that at any time
/// every rank sends one block and receives one. A few steps are under way at a time, alternately to near and
/// to far ranks, so that neither waits for the others' links: two groups of steps, of which the next one is
/// under way while the last messages of the one before arrive.
class all_to_all_pairwise final : public operation {
public:
    void start(context& ranks, const exchange_order& order, const blocks& source, const blocks& result);

    /// Only blocks of at least so many bytes: both ends of each derive this from its length.
    void start_from(std::size_t shortest, context& ranks, const exchange_order& order, int tag,
                    const blocks& source, const blocks& result);

private:
    /// So many steps are a group: the network stays busy, and no receiver is flooded. Of short blocks of one
    /// length so many that they have some bytes together.
    static constexpr int fewest = 8, most = 16;
    static constexpr std::size_t least_bytes = std::size_t{16} << 10;

    struct group {
        std::vector<incoming_block> in;
        std::vector<outgoing_block> out;
        std::size_t steps = 0; ///< under way, the own block's among them
        std::size_t slots = 0; ///< of their messages
    };

    TOPOMP_INLINE bool advance() override;

    void exchange(int step, group& with);

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks source_, result_;
    type_layout source_layout_{MPI_BYTE}, result_layout_{MPI_BYTE};
    std::size_t shortest_ = 0;
    std::array<group, 2> groups_;
    std::size_t older_ = 0; ///< the group whose messages are first in `slots_`
    scratch_buffer own_;    ///< the own block during the copy, if it must be packed
    int step_ = 0;
    int stride_ = 1;      ///< from the distance of one step to that of the next, cyclically
    int window_ = fewest; ///< steps of a group
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_to_all_operations.ipp>
#endif
