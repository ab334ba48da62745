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

namespace topo::detail {

/// Each step exchanges with the ranks a distance ahead and behind in hierarchy order, so that at any time
/// every rank sends one block and receives one. A few steps are under way at a time, alternately to near and
/// to far ranks, so that neither waits for the others' links.
class all_to_all_pairwise final : public operation {
public:
    void start(context& ranks, const exchange_order& order, const blocks& source, const blocks& result);

    /// Only blocks of at least so many bytes: both ends of each derive this from its length.
    void start_from(std::size_t shortest, context& ranks, const exchange_order& order, int tag,
                    const blocks& source, const blocks& result);

private:
    /// So many steps are under way at a time: the network stays busy, and no receiver is flooded.
    static constexpr int window = 8;

    TOPOMP_INLINE bool advance() override;

    void exchange(int step);

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks source_, result_;
    type_layout source_layout_{MPI_BYTE}, result_layout_{MPI_BYTE};
    std::size_t shortest_ = 0;
    std::array<incoming_block, window> in_;
    std::array<outgoing_block, window> out_;
    scratch_buffer own_; ///< the own block during the copy, if it must be packed
    int step_ = 0;
    int stride_ = 1;    ///< from the distance of one step to that of the next, cyclically
    int under_way_ = 0; ///< steps, the own block's among them
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_to_all_operations.ipp>
#endif
