// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of each rank of other groups, from or to the ranks of one.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>

namespace topo::detail {

/// Blocks between a window, in which those of all ranks lie in their order, and the ranks of the other
/// groups: with rank number n of these deals, in the window's group of k ranks, number n modulo k. A few
/// messages are under way at a time.
class block_messages final : public operation {
public:
    /// In the window's group. @param goes_out or comes in
    void start(copy_groups& groups, const blocks& window, bool goes_out);

    /// In any other group. @param mine the calling rank's block @param to the window's group
    void start(copy_groups& groups, const message& mine, int to, bool goes_out);

private:
    static constexpr std::size_t most_under_way = 16;

    void begin(copy_groups& groups, bool goes_out, MPI_Datatype type);

    TOPOMP_INLINE bool advance() override;

    void post_next();

    void post(const message& block, int partner);

    copy_groups* groups_ = nullptr;
    blocks window_;
    type_layout layout_{MPI_BYTE};
    int tag_ = 0, group_ = 0, next_ = 0;
    bool goes_out_ = false, is_inside_ = false;
    std::size_t under_way_ = 0;
    std::array<incoming_block, most_under_way> in_;
    std::array<outgoing_block, most_under_way> out_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/block_messages.ipp>
#endif
